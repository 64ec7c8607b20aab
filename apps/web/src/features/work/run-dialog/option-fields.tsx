import type { OptionRow, Options } from '@heterosis/contracts/options/define-options';
import { Checkbox, Input, SegmentedControl, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
import { excludedBy, limitsOf } from './option-values.ts';
import { useOptionText } from './use-option-text.ts';

/** Options whose field is a component of its own: lists, texts, and what has a schema of its own. */
type OwnFields<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { label: string; kind: 'own' | 'list' | 'text' } ? Name : never;
}[keyof Table];

/** The form, as far as fields need it. */
export type OptionForm = Pick<UseFormReturnType<Record<string, unknown>>, 'values' | 'getInputProps'>;

/** Folded, below all others. */
const FOLDED = 'Advanced';
/** More choices than fit beside each other. */
const MOST_BESIDE = 4;

/**
 * The fields of a table, in its order. Fields of a group stand beside each other, where the first of them stands.
 * `analysis` names the table in translations.
 */
export function OptionFields<Table extends Options>(props: {
  analysis: string;
  table: Table;
  form: OptionForm;
  own: Record<OwnFields<Table>, ReactNode>;
  /** Options that the dialog draws first; the others follow in the order of the table. */
  first?: readonly (keyof Table & string)[];
  /** Options that the inputs of the run exclude. */
  disabled?: readonly (keyof Table & string)[];
}) {
  const { analysis, table, form, first = [], disabled = [] } = props;
  const { t } = useTranslation();
  const own: Record<string, ReactNode> = props.own;
  const [isOpen, setOpen] = useState(false);
  const names = [...new Set([...first, ...Object.keys(table)])];
  const fields = names.flatMap((name): [string, OptionRow][] => {
    const row: OptionRow | undefined = table[name];
    return row?.label === undefined ? [] : [[name, row]];
  });
  const field = ([name, row]: [string, OptionRow]) => (
    <Fragment key={name}>
      {own[name] ?? <OptionField {...{ analysis, table, name, row, form }} isDisabled={disabled.includes(name)} />}
    </Fragment>
  );
  const groups = Map.groupBy(fields, ([name, { group }]) => group ?? name);
  const folded = groups.get(FOLDED) ?? [];
  const isWrong = folded.some(([name]) => form.getInputProps(name).error !== undefined);
  return (
    <>
      {[...groups]
        .filter(([group]) => group !== FOLDED)
        .map(([group, members]) =>
          members.length === 1 ? (
            members.map(field)
          ) : (
            <div key={group} className={classes.pair}>
              {members.map(field)}
            </div>
          ),
        )}
      {folded.length > 0 && (
        <details
          className={classes.folded}
          open={isOpen || isWrong}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>{t('form.advanced')}</summary>
          <div className={classes.pair}>{folded.map(field)}</div>
        </details>
      )}
    </>
  );
}

/** The field of one option, by its kind. */
export function OptionField(props: {
  analysis: string;
  table: Options;
  name: string;
  row: OptionRow;
  form: OptionForm;
  isDisabled?: boolean;
}) {
  const { analysis, table, name, row, form, isDisabled = false } = props;
  const { t } = useTranslation();
  const textOf = useOptionText(analysis, table);
  const rule = excludedBy(table, name, form.values);
  const label = textOf(name, 'label');
  const hint = rule?.hint ?? textOf(name, 'hint');
  const common = { label, ...(hint === '' ? {} : { description: hint }), disabled: isDisabled || rule !== undefined };
  if (row.kind === 'flag') return <Checkbox {...common} {...form.getInputProps(name, { type: 'checkbox' })} />;
  const input = form.getInputProps(name);
  if (row.choices === undefined) {
    return (
      <NumberField
        {...common}
        limits={limitsOf(row)}
        {...(row.default === undefined ? { placeholder: t('form.none') } : {})}
        {...(row.step === undefined ? {} : { step: row.step })}
        {...(row.usual === undefined ? {} : { startValue: row.usual })}
        {...(row.unit === undefined ? {} : { unit: row.unit })}
        {...input}
      />
    );
  }
  if (row.choices.length > MOST_BESIDE) return <Select {...common} data={[...row.choices]} {...input} />;
  return (
    <Input.Wrapper label={label} description={common.description} labelElement="div" error={input.error}>
      <SegmentedControl fullWidth aria-label={label} data={[...row.choices]} disabled={common.disabled} {...input} />
    </Input.Wrapper>
  );
}
