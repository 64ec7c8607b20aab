import type { OptionRow, Options } from '@heterosis/contracts/options/define-options';
import { Checkbox, Input, NativeSelect, SegmentedControl } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { excludedBy, limitsOf } from './option-values.ts';

/** Options whose field is a component of its own: lists, texts, and what has a schema of its own. */
type OwnFields<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { label: string; kind: 'own' | 'list' | 'text' } ? Name : never;
}[keyof Table];

/** The form, as far as fields need it. */
export type OptionForm = Pick<UseFormReturnType<Record<string, unknown>>, 'values' | 'getInputProps'>;

/** Folded, below all others. */
const FOLDED = 'Advanced';
/** Characters of choices that fit beside each other. */
const MOST_BESIDE = 30;

/**
 * The fields of a table, in its order. Fields of a group stand beside each other, where the first of them stands.
 * `analysis` names the table in translations.
 */
export function OptionFields<Table extends Options>(props: {
  analysis: string;
  table: Table;
  form: OptionForm;
  /** Fields of these options; null for an option that another one's field asks for. */
  own: Record<OwnFields<Table>, ReactNode> & { [Name in keyof Table]?: ReactNode };
  /** Hints that depend on what else is chosen, in place of those of the table. */
  hints?: { [Name in keyof Table]?: string | undefined };
  /** Options that the dialog draws first; the others follow in the order of the table. */
  first?: readonly (keyof Table & string)[];
  /** Options that the inputs of the run exclude. */
  disabled?: readonly (keyof Table & string)[];
}) {
  const { analysis, table, form, first = [], disabled = [] } = props;
  const { t } = useTranslation();
  const own: Record<string, ReactNode> = props.own;
  const hints: Record<string, string | undefined> = props.hints ?? {};
  const [isOpen, setOpen] = useState(false);
  const names = [...new Set([...first, ...Object.keys(table)])];
  const fields = names.flatMap((name): [string, OptionRow][] => {
    const row: OptionRow | undefined = table[name];
    return row?.label === undefined ? [] : [[name, row]];
  });
  const field = ([name]: [string, OptionRow]) => (
    <Fragment key={name}>
      {own[name] === undefined ? (
        <OptionField {...{ analysis, table, name, form }} isDisabled={disabled.includes(name)} hint={hints[name]} />
      ) : (
        own[name]
      )}
    </Fragment>
  );
  const groups = Map.groupBy(fields, ([name, { group }]) => group ?? name);
  const folded = (groups.get(FOLDED) ?? []).filter(([name]) => own[name] !== null);
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

/** Fields of some options beside each other, next to the field that they belong to. */
export function OptionsBeside<Table extends Options>(props: {
  analysis: string;
  table: Table;
  names: readonly (keyof Table & string)[];
  form: OptionForm;
}) {
  const { names, ...rest } = props;
  if (names.length === 0) return null;
  return (
    <div className={classes.pair}>
      {names.map((name) => (
        <OptionField key={name} {...rest} name={name} />
      ))}
    </div>
  );
}

/** The hint under the field, so that fields beside each other stand at one height. */
const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** The field of one option, by its kind. */
export function OptionField<Table extends Options>(props: {
  analysis: string;
  table: Table;
  name: keyof Table & string;
  form: OptionForm;
  isDisabled?: boolean;
  hint?: string | undefined;
}) {
  const { analysis, table, name, form, isDisabled = false } = props;
  const { t } = useTranslation();
  const textOf = useOptionText(analysis, table);
  const row: OptionRow | undefined = table[name];
  if (row === undefined) return null;
  const rule = excludedBy(table, name, form.values);
  const label = textOf(name, 'label');
  const hint = rule?.hint ?? props.hint ?? textOf(name, 'hint');
  const common = { label, ...(hint === '' ? {} : { description: hint }), disabled: isDisabled || rule !== undefined };
  if (row.kind === 'flag') return <Checkbox {...common} {...form.getInputProps(name, { type: 'checkbox' })} />;
  const input = form.getInputProps(name);
  if (row.choices === undefined) {
    return (
      <NumberField
        {...common}
        limits={limitsOf(row)}
        {...(row.default === undefined ? { placeholder: row.empty ?? t('form.none') } : {})}
        {...(row.step === undefined ? {} : { step: row.step })}
        {...(row.usual === undefined ? {} : { startValue: row.usual })}
        {...(row.percent ? { unit: '%' } : row.unit === undefined ? {} : { unit: row.unit })}
        {...(props.hint === undefined ? {} : { inputWrapperOrder: HINT_BELOW })}
        {...input}
      />
    );
  }
  const data = Object.keys(row.labels ?? Object.fromEntries(row.choices.map((choice) => [choice, choice]))).map(
    (choice) => ({ value: choice === 'null' ? '' : choice, label: textOf(name, 'labels', choice) }),
  );
  if (data.map((choice) => choice.label).join('').length > MOST_BESIDE)
    return <NativeSelect {...common} data={data} {...input} />;
  return (
    <Input.Wrapper label={label} description={common.description} labelElement="div" error={input.error}>
      <SegmentedControl fullWidth aria-label={label} data={data} disabled={common.disabled} {...input} />
    </Input.Wrapper>
  );
}
