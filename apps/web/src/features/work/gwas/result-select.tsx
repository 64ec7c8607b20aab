import type { GeneAction } from '@heterosis/contracts/options/gwas';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { actionResult, partsOfResult } from '@heterosis/contracts/work/gwas-names';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TraitSelect } from '../runs/index.ts';

/** Which result is shown: the trait, and the model under which its markers were tested where there are several. */
export function ResultSelect(props: {
  gwas: GwasDetail;
  /** Names of results that there are. */
  finished: readonly string[];
  value: string;
  onChange: (name: string) => void;
}) {
  const { gwas, finished, value, onChange } = props;
  const { t } = useTranslation();
  const { trait, action } = partsOfResult(gwas, value);
  const nameOf = (of: string, under: GeneAction | null): string => (under === null ? of : actionResult(of, under));
  const traits = [...new Set(finished.map((name) => partsOfResult(gwas, name).trait))];
  const models = [null, ...gwas.gene_action].filter((one) => finished.includes(nameOf(trait, one)));
  const chooseTrait = (next: string): void => {
    const [first = next] = [nameOf(next, action), next].filter((name) => finished.includes(name));
    onChange(first);
  };
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={chooseTrait} />
      {models.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('gwas.action.model')}
          value={action ?? ''}
          onChange={({ currentTarget: { value: chosen } }) =>
            onChange(nameOf(trait, models.find((one) => one === chosen) ?? null))
          }
          data={models.map((one) => ({
            value: one ?? '',
            label: one === null ? t('gwas.action.copies', { test: gwas.test }) : t('gwas.action.of', { action: one }),
          }))}
        />
      )}
    </>
  );
}
