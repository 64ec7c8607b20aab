import { GENE_ACTIONS, type GeneAction, GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { excludedBy } from '../../run-dialog/index.ts';

/** Models of how copies of A2 act, under which markers are tested too. */
export function GeneActionsField(props: {
  /** Of the whole form, some of which exclude them. */
  values: Readonly<Record<string, unknown>> & { gene_action: GeneAction[] };
  error: ReactNode;
  onChange: (actions: GeneAction[]) => void;
}) {
  const { values, error, onChange } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const rule = excludedBy(GWAS_OPTIONS, 'gene_action', values);
  return (
    <MultiSelect
      label={textOf('gene_action', 'label')}
      description={rule?.hint ?? textOf('gene_action', 'hint')}
      placeholder={values.gene_action.length === 0 ? t('gwas.action.none') : undefined}
      data={GENE_ACTIONS.map((action) => ({ value: action, label: textOf('gene_action', 'labels', action) }))}
      value={values.gene_action}
      disabled={rule !== undefined}
      error={error}
      onChange={(chosen) => onChange(GENE_ACTIONS.filter((action) => chosen.includes(action)))}
    />
  );
}
