import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import { Input, SegmentedControl, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import type { RunInputs } from '../run-dialog/index.ts';

/** What the form holds; the column may be one that another phenotype file does not have. */
export interface CrossValidationValues {
  crossValidation: 'folds' | 'groups';
  leave_out: string | null;
}

interface GroupInputs extends Pick<RunInputs, 'availableTraits' | 'availableGroups' | 'codeLike'> {
  /** Whether the phenotype file has several environments; undefined until that is known. */
  hasEnvironments: boolean | undefined;
}

/** In place of a column: every environment of the trial in turn. */
const ENVIRONMENT = 'environment';

const groupColumns = ({ availableGroups, codeLike, hasEnvironments }: GroupInputs): string[] => {
  const columns = [...availableGroups, ...codeLike];
  const isColumn = columns.some((name) => name.toLowerCase() === ENVIRONMENT);
  return hasEnvironments === true && !isColumn ? [...columns, ENVIRONMENT] : columns;
};

/** The column whose groups are left out; null for random folds, and where the chosen file has no such column. */
export function leftOutColumn(
  inputs: GroupInputs,
  { crossValidation, leave_out }: CrossValidationValues,
): string | null {
  if (crossValidation === 'folds' || leave_out === null) return null;
  // Until the columns of the file are known, keep what was chosen.
  const isKnown = inputs.availableTraits.length > 0 && inputs.hasEnvironments !== undefined;
  return !isKnown || groupColumns(inputs).includes(leave_out) ? leave_out : null;
}

/** Random folds, or each group of a column predicted from the others. */
export function CrossValidationFields(props: {
  inputs: GroupInputs;
  values: CrossValidationValues;
  error: ReactNode;
  onChange: (values: Partial<CrossValidationValues>) => void;
}) {
  const { inputs, values, error, onChange } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('models', MODEL_OPTIONS);
  const columns = groupColumns(inputs);
  const hasFile = inputs.availableTraits.length > 0;
  return (
    <>
      <Input.Wrapper label={textOf('leave_out', 'label')} description={textOf('leave_out', 'hint')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={textOf('leave_out', 'label')}
          data={[
            { value: 'folds', label: t('models.randomFolds') },
            { value: 'groups', label: t('models.leaveOutGroups') },
          ]}
          value={values.crossValidation}
          onChange={(choice) => onChange({ crossValidation: choice === 'groups' ? 'groups' : 'folds' })}
        />
      </Input.Wrapper>
      {values.crossValidation === 'groups' && (
        <Select
          label={t('models.groupColumn')}
          description={t('models.groupColumnHint')}
          placeholder={t(
            columns.length > 0 ? 'models.chooseColumn' : hasFile ? 'models.noGroups' : 'runs.choosePhenotypeFirst',
          )}
          data={columns.map((name) => ({
            value: name,
            label: name === ENVIRONMENT && inputs.hasEnvironments ? t('models.eachEnvironment') : name,
          }))}
          disabled={columns.length === 0}
          searchable
          nothingFoundMessage={t('gwas.noSuchColumn')}
          value={leftOutColumn(inputs, values)}
          onChange={(column) => onChange({ leave_out: column })}
          error={error}
        />
      )}
    </>
  );
}
