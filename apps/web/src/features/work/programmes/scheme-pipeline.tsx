import { numbersOf, type SchemeNumber, withNumber } from '@heterosis/contracts/work/programmes/programme-numbers';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import type { SchemeSizes, StageList, StageSize } from '@heterosis/contracts/work/programmes/programme-sizes';
import { TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../components/form/number-field.tsx';
import pipeline from '../../../components/page/pipeline.module.css';
import type { FieldNumber } from '../../../lib/form/field-number.ts';
import { formatCount } from '../../../lib/format/format.ts';
import classes from './scheme-editor.module.css';
import { namesOf, withNames, yearsOf } from './scheme-form.ts';

/** Numbers that are not yet a number, by their path: what is typed stays while it is wrong. */
export type Typed = Readonly<Record<string, FieldNumber>>;

interface PipelineProps {
  scheme: ProgrammeScheme;
  sizes: SchemeSizes;
  typed: Typed;
  onNumber: (path: string, value: FieldNumber) => void;
  onScheme: (scheme: ProgrammeScheme) => void;
}

const LISTS: readonly StageList[] = ['start', 'cycle', 'end'];

/** The scheme drawn over its years: what is done once, what is done in each cycle, and what ends it. */
export function SchemePipeline(props: PipelineProps) {
  const { scheme, sizes } = props;
  const { t } = useTranslation();
  return LISTS.map((list) => {
    const years = yearsOf(sizes, list);
    if (years.length === 0) return null;
    return (
      <section key={list} className={classes.part} aria-label={partName(t, list, scheme)}>
        <h3>{partName(t, list, scheme)}</h3>
        <ol className={pipeline.times}>
          {years.map(({ year, cost, stages }) => (
            <li key={year} className={pipeline.time}>
              <div className={pipeline.head}>
                <span>{t(list === 'cycle' ? 'programmes.yearOfCycle' : 'programmes.year', { year: year + 1 })}</span>
                <span>{formatCount(Math.round(cost))}</span>
              </div>
              <ol className={pipeline.steps}>
                {stages.map((stage) => (
                  <Stage key={stage.index} {...props} stage={stage} />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </section>
    );
  });
}

const partName = (t: TFunction, list: StageList, { cycles }: ProgrammeScheme): string =>
  t(`programmes.part.${list}`, { count: cycles });

/** Stages that only compute or measure: a line each. */
const QUIET = new Set(['measure', 'take', 'combine', 'index', 'predict', 'score', 'recycle']);

function Stage({ scheme, sizes, typed, onNumber, onScheme, stage: size }: PipelineProps & { stage: StageSize }) {
  const { t } = useTranslation();
  const { stage, list, index } = size;
  const numbers = numbersOf(scheme).filter(({ place }) => place?.list === list && place.index === index);
  const problems = sizes.problems.filter((one) => one.list === list && one.index === index);
  const named = namesOf(stage);
  if (QUIET.has(stage.do) && problems.length === 0 && named === null)
    return <li className={classes.quiet}>{sentenceOf(t, size)}</li>;
  const known = new Set(numbers.map(({ field }) => field));
  const others = problems.filter(({ field }) => !known.has(field));
  return (
    <li className={pipeline.step}>
      <div className={classes.stageHead}>
        <span className={classes.stageName}>{sentenceOf(t, size)}</span>
        {size.cost > 0 && <span className={classes.stageCost}>{formatCount(Math.round(size.cost))}</span>}
      </div>
      <div className={classes.numbers}>
        {numbers.map((number) => (
          <PlacedNumber
            key={number.path}
            number={number}
            typed={typed[number.path]}
            label={numberName(t, number.field)}
            error={problems.find(({ field }) => field === number.field)?.message}
            onChange={(value) => onNumber(number.path, value)}
          />
        ))}
      </div>
      {named && (
        <Names
          label={t(`programmes.names.${named.field}`)}
          names={named.names}
          onChange={(names) => onScheme(withNames(scheme, named, names))}
        />
      )}
      {others.map(({ field, message }) => (
        <div key={field} className={classes.over}>
          {message}
        </div>
      ))}
    </li>
  );
}

/** Names of lines or markers, separated by commas; at least one. */
function Names({
  label,
  names,
  onChange,
}: {
  label: string;
  names: readonly string[];
  onChange: (names: string[]) => void;
}) {
  const [text, setText] = useState<string>();
  return (
    <TextInput
      size="xs"
      label={label}
      value={text ?? names.join(', ')}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => {
        const typed = (text ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
        if (typed.length > 0) onChange(typed);
        setText(undefined);
      }}
    />
  );
}

/** What a stage does, in a sentence with its sizes. */
function sentenceOf(t: TFunction, { stage, from, individuals, crosses, plots }: StageSize): string {
  const fields = stage as Record<string, unknown>;
  const words = {
    from: formatCount(from),
    size: formatCount(individuals),
    crosses: formatCount(crosses),
    plots: formatCount(plots),
    source: String(fields['population'] ?? fields['from'] ?? ''),
    into: String(fields['into'] ?? ''),
    model: String(fields['model'] ?? ''),
    by: [fields['by'] ?? ''].flat().join(', '),
    as: String(fields['as'] ?? fields['stage'] ?? ''),
    plan: String(fields['plan'] ?? ''),
  };
  return String(t(`programmes.does.${stage.do}` as 'programmes.does.cross', words));
}

export const numberName = (t: TFunction, field: string): string =>
  String(t(`programmes.number.${field}` as 'programmes.number.lines'));

/** A number of the scheme in its place. */
export function PlacedNumber(props: {
  number: SchemeNumber;
  typed: FieldNumber | undefined;
  label: string;
  error?: string | undefined;
  onChange: (value: FieldNumber) => void;
}) {
  const { number, typed, label, error, onChange } = props;
  const { min, max, isWhole, value } = number;
  return (
    <NumberField
      size="xs"
      label={label}
      limits={{ min, max, isWhole }}
      step={isWhole ? 1 : max <= 1 ? 0.05 : 0.5}
      value={typed ?? value}
      error={error}
      onChange={onChange}
    />
  );
}

/** The scheme with a number that is typed; unchanged while it is none or out of its range. */
export function schemeWith(scheme: ProgrammeScheme, path: string, value: FieldNumber): ProgrammeScheme {
  const known = numbersOf(scheme).find((one) => one.path === path);
  if (known === undefined || typeof value !== 'number' || !(value >= known.min && value <= known.max)) return scheme;
  if (known.isWhole && !Number.isInteger(value)) return scheme;
  return withNumber(scheme, path, value);
}
