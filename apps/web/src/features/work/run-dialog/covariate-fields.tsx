import { COVARIATES } from '@heterosis/contracts/options/shared';
import type { CovariateKind } from '@heterosis/contracts/work/gwas';
import { Input, MultiSelect, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import type { RunInputs } from './use-run-inputs.ts';

/** What the form holds: it may name columns that another phenotype file does not have. */
export interface CovariateValues {
  covariates: string[];
  covariateKinds: Record<string, CovariateKind>;
}

/** Covariates that the chosen file has, and the kind of those that look like codes for groups. */
export interface CovariateChoice {
  numbers: string[];
  groups: string[];
  covariates: string[];
  kinds: Record<string, CovariateKind>;
}

type CovariateInputs = Pick<
  RunInputs,
  'availableTraits' | 'availableCovariates' | 'availableGroups' | 'traits' | 'codeLike'
>;

export function covariateChoice(inputs: CovariateInputs, values: CovariateValues): CovariateChoice {
  const numbers = [
    ...inputs.availableCovariates,
    ...inputs.availableTraits.filter((trait) => !inputs.traits.includes(trait)),
  ];
  const groups = inputs.availableGroups;
  // Until the traits of the file are known, keep what was chosen.
  const covariates =
    inputs.availableTraits.length === 0
      ? values.covariates
      : values.covariates.filter((name) => numbers.includes(name) || groups.includes(name));
  // Numbers that look like codes are proposed as groups: taken as a measurement by mistake they correct for next to
  // nothing.
  const kinds = Object.fromEntries(
    covariates.flatMap((name): [string, CovariateKind][] => {
      const kind = values.covariateKinds[name] ?? (inputs.codeLike.includes(name) ? 'factor' : undefined);
      return kind === undefined ? [] : [[name, kind]];
    }),
  );
  return { numbers, groups, covariates, kinds };
}

/** Columns of the phenotype file as fixed effects, with a question for those that look like codes. */
export function CovariateFields({
  inputs,
  choice,
  error,
  onChange,
}: {
  inputs: CovariateInputs;
  choice: CovariateChoice;
  error: ReactNode;
  onChange: (values: Partial<CovariateValues>) => void;
}) {
  const { t } = useTranslation();
  const textOf = useOptionText('shared', { covariates: COVARIATES });
  const { numbers, groups } = choice;
  const canChoose = numbers.length + groups.length > 0;
  const emptyText = canChoose
    ? 'gwas.noCovariates'
    : inputs.availableTraits.length > 0
      ? 'gwas.allAreTraits'
      : 'runs.choosePhenotypeFirst';
  return (
    <>
      <MultiSelect
        label={textOf('covariates', 'label')}
        description={textOf('covariates', 'hint')}
        placeholder={choice.covariates.length === 0 ? t(emptyText) : undefined}
        data={
          groups.length === 0
            ? numbers
            : [
                { group: t('gwas.covariateNumbers'), items: numbers },
                { group: t('gwas.covariateGroups'), items: groups },
              ].filter(({ items }) => items.length > 0)
        }
        disabled={!canChoose}
        searchable
        clearable
        hidePickedOptions
        maxValues={COVARIATES.most}
        nothingFoundMessage={t('gwas.noSuchColumn')}
        value={choice.covariates}
        onChange={(covariates) => onChange({ covariates })}
        error={error}
      />
      {Object.keys(choice.kinds).map((name) => (
        <Input.Wrapper
          key={name}
          label={t('gwas.codeQuestion', { name })}
          description={t('gwas.codeHint')}
          labelElement="div"
        >
          <SegmentedControl
            fullWidth
            aria-label={t('gwas.codeQuestion', { name })}
            data={[
              { value: 'factor', label: t('gwas.codeGroups') },
              { value: 'numeric', label: t('gwas.codeMeasurement') },
            ]}
            value={choice.kinds[name] ?? 'factor'}
            onChange={(kind) =>
              onChange({ covariateKinds: { ...choice.kinds, [name]: kind === 'numeric' ? 'numeric' : 'factor' } })
            }
          />
        </Input.Wrapper>
      ))}
    </>
  );
}
