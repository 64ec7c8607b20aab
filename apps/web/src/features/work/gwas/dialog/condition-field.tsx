import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { formatChromosome, formatPValue } from '../../../../lib/format/format.ts';
import { markerNamesQuery } from '../gwas.api.ts';

const SEARCH_WAIT_MS = 200;

/** An ended GWAS of the same genotype: its markers are offered, the strongest first. */
export interface EarlierResult {
  id: string;
  trait: string;
}

/** Markers that become fixed effects: typed, pasted, or chosen among those of an earlier GWAS. */
export function ConditionField(props: {
  projectId: string;
  earlier: EarlierResult | undefined;
  value: string[];
  onChange: (markers: string[]) => void;
  error: ReactNode;
}) {
  const { projectId, earlier, value, onChange, error } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, SEARCH_WAIT_MS);
  const { data = [] } = useQuery({
    ...markerNamesQuery(projectId, earlier?.id ?? '', earlier?.trait ?? '', search),
    enabled: earlier !== undefined,
    placeholderData: keepPreviousData,
  });
  const figures = new Map(
    data.map(({ id, chr, p }) => [id, t('gwas.conditionOption', { chr: formatChromosome(chr), p: formatPValue(p) })]),
  );
  return (
    <TagsInput
      label={textOf('condition_on', 'label')}
      description={textOf('condition_on', 'hint')}
      placeholder={value.length === 0 ? t('gwas.conditionPlaceholder') : undefined}
      data={data.map(({ id }) => id)}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {option.value} <span className="hx-muted">{figures.get(option.value)}</span>
        </span>
      )}
      splitChars={[',', ';', '\n', '\t']}
      acceptValueOnBlur
      clearable
      maxTags={GWAS_OPTIONS.condition_on.most}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
