import { MAX_SCHEMES } from '@heterosis/contracts/work/programmes';
import { numbersOf } from '@heterosis/contracts/work/programmes/programme-numbers';
import { type ProgrammeScheme, parseScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import type { SchemeSizes } from '@heterosis/contracts/work/programmes/programme-sizes';
import { TEMPLATE_NAMES } from '@heterosis/contracts/work/programmes/programme-templates';
import { Button, Menu, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../components/form/number-field.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { formatCount, formatDuration, formatStatistic, formatTick } from '../../../lib/format/format.ts';
import classes from './scheme-editor.module.css';
import { freeName, measuredOf, newScheme } from './scheme-form.ts';
import { numberName, PlacedNumber, SchemePipeline, schemeWith, type Typed } from './scheme-pipeline.tsx';
import { LIMITS, type ProgrammeForm } from './use-programme-form.ts';

/** The schemes of a simulation: one is shown, drawn over its years, with its budget above it. */
export function SchemeEditor({
  programme,
  onUnclear,
}: {
  programme: ProgrammeForm;
  /** Whether something typed is not a number that can be. */
  onUnclear: (isUnclear: boolean) => void;
}) {
  const { form, sizes, input } = programme;
  const { schemes } = form.values;
  const { t } = useTranslation();
  const [shown, setShown] = useState(0);
  const place = Math.min(shown, schemes.length - 1);
  const scheme = schemes[place];
  // By scheme, so that what is wrong with one is still there after a look at another.
  const [typed, setTyped] = useState<Readonly<Record<string, FieldNumber>>>({});
  useEffect(() => onUnclear(Object.keys(typed).length > 0), [typed]);

  const change = (next: ProgrammeScheme): void => form.setFieldValue('schemes', schemes.with(place, next));
  const setNumber = (path: string, value: FieldNumber): void => {
    if (scheme === undefined) return;
    const next = schemeWith(scheme, path, value);
    const isTaken = numbersOf(next).find((one) => one.path === path)?.value === value;
    const { [`${place} ${path}`]: _, ...others } = typed;
    setTyped(isTaken ? others : { ...others, [`${place} ${path}`]: value });
    if (isTaken) change(next);
  };
  const show = (next: ProgrammeScheme[], at: number): void => {
    form.setFieldValue('schemes', next);
    setTyped({});
    setShown(at);
  };
  return (
    <Section
      title={t('programmes.schemes')}
      note={t('programmes.schemesNote')}
      action={
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" size="xs" disabled={schemes.length >= MAX_SCHEMES}>
              {t('programmes.addScheme')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {TEMPLATE_NAMES.map((name) => (
              <Menu.Item
                key={name}
                onClick={() =>
                  show([...schemes, newScheme(name, t(`programmes.template.${name}`), input, schemes)], schemes.length)
                }
              >
                {t(`programmes.template.${name}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    >
      <div className={classes.editor}>
        {programme.material?.phased === false && <Notice>{t('programmes.unphasedNote')}</Notice>}
        {schemes.length > 1 && (
          <SegmentedControl
            aria-label={t('programmes.schemes')}
            data={schemes.map(({ name }, i) => ({ value: String(i), label: name }))}
            value={String(place)}
            onChange={(value) => setShown(Number(value))}
            style={{ flexWrap: 'wrap' }}
          />
        )}
        {scheme === undefined && programme.isWaiting && <SkeletonLines lines={12} />}
        {scheme !== undefined && sizes[place] !== undefined && (
          <>
            <div className={classes.tools}>
              <TextInput
                className={classes.grow}
                label={t('programmes.schemeName')}
                value={scheme.name}
                maxLength={255}
                onChange={({ currentTarget }) => change({ ...scheme, name: currentTarget.value })}
              />
              <NumberField
                label={t('programmes.budget')}
                limits={LIMITS.budget}
                step={1000}
                {...form.getInputProps('budget')}
              />
              <NumberField
                label={t('programmes.replicates')}
                limits={LIMITS.replicates}
                step={50}
                {...form.getInputProps('replicates')}
              />
              <Button
                variant="default"
                disabled={schemes.length >= MAX_SCHEMES}
                onClick={() => show([...schemes, { ...scheme, name: freeName(scheme.name, schemes) }], schemes.length)}
              >
                {t('programmes.copyScheme')}
              </Button>
              <Button
                variant="default"
                disabled={schemes.length < 2}
                onClick={() => show(schemes.toSpliced(place, 1), Math.max(0, place - 1))}
              >
                {t('programmes.removeScheme')}
              </Button>
            </div>
            <Budget programme={programme} sizes={sizes[place]} />
            <Whole scheme={scheme} typed={typedOf(typed, place)} onNumber={setNumber} />
            <Variances programme={programme} scheme={scheme} onChange={change} />
            <SchemePipeline
              scheme={scheme}
              sizes={sizes[place]}
              typed={typedOf(typed, place)}
              onNumber={setNumber}
              onScheme={change}
            />
            <SchemeText key={`${place} ${schemes.length}`} scheme={scheme} onChange={change} />
          </>
        )}
      </div>
    </Section>
  );
}

const typedOf = (typed: Typed, place: number): Typed =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([key, value]) =>
      key.startsWith(`${place} `) ? [[key.slice(`${place} `.length), value]] : [],
    ),
  );

/** What the scheme costs and how long it takes: always in view. */
function Budget({ programme, sizes }: { programme: ProgrammeForm; sizes: SchemeSizes }) {
  const { t } = useTranslation();
  const { seconds } = programme.estimate;
  const budget = numberOf(programme.form.values.budget);
  const isOver = sizes.cost.cycle > budget;
  const money = (value: number): string => formatCount(Math.round(value));
  const perYear = sizes.years.cycle > 0 ? sizes.cost.cycle / sizes.years.cycle : undefined;
  return (
    <dl className={classes.budget}>
      <div>
        <dt>{t('programmes.costOfCycle')}</dt>
        <dd className={isOver ? classes.over : undefined}>
          {money(sizes.cost.cycle)}
          {Number.isFinite(budget) && ` / ${money(budget)}`}
        </dd>
      </div>
      {perYear !== undefined && (
        <div>
          <dt>{t('programmes.costOfYear')}</dt>
          <dd>{money(perYear)}</dd>
        </div>
      )}
      <div>
        <dt>{t('programmes.costOfAll')}</dt>
        <dd>{money(sizes.totalCost)}</dd>
      </div>
      <div>
        <dt>{t('programmes.yearsOfAll')}</dt>
        <dd>{formatTick(sizes.totalYears)}</dd>
      </div>
      <div>
        <dt>{t('programmes.computing')}</dt>
        <dd>{formatDuration(Math.max(1, seconds))}</dd>
      </div>
    </dl>
  );
}

/** Cycles, variances and prices. */
function Whole({
  scheme,
  typed,
  onNumber,
}: {
  scheme: ProgrammeScheme;
  typed: Typed;
  onNumber: (path: string, value: FieldNumber) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={classes.whole}>
      {numbersOf(scheme)
        .filter(({ place }) => place === null)
        .map((number) => (
          <PlacedNumber
            key={number.path}
            number={number}
            typed={typed[number.path]}
            label={numberName(t, number.field)}
            onChange={(value) => onNumber(number.path, value)}
          />
        ))}
    </div>
  );
}

/** Where the variances come from, and the way back to them. */
function Variances({
  programme,
  scheme,
  onChange,
}: {
  programme: ProgrammeForm;
  scheme: ProgrammeScheme;
  onChange: (scheme: ProgrammeScheme) => void;
}) {
  const { t } = useTranslation();
  const { material, trait, input } = programme;
  const analysis = measuredOf(material, { trait, truth: programme.form.values.truth })?.analysis;
  const { environment, plot } = input.error;
  const isSame = scheme.error.environment === environment && scheme.error.plot === plot;
  const words = { trait, environment: formatStatistic(environment), plot: formatStatistic(plot) };
  return (
    <p className={classes.source}>
      {analysis === undefined
        ? t('programmes.variancesUsual', words)
        : t('programmes.variancesOf', { ...words, name: analysis.name })}{' '}
      {!isSame && (
        <Button size="compact-xs" variant="default" onClick={() => onChange({ ...scheme, error: input.error })}>
          {t('programmes.takeVariances')}
        </Button>
      )}
    </p>
  );
}

/** The scheme as a file, for what no field changes. */
function SchemeText({ scheme, onChange }: { scheme: ProgrammeScheme; onChange: (scheme: ProgrammeScheme) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState<string>();
  const parsed = text === undefined ? undefined : parseScheme(text);
  const [problem] = parsed?.problems ?? [];
  return (
    <details className={classes.part}>
      <summary>{t('programmes.asText')}</summary>
      <Textarea
        aria-label={t('programmes.asText')}
        description={t('programmes.asTextNote')}
        autosize
        minRows={6}
        maxRows={24}
        styles={{ input: { fontFamily: 'monospace', fontSize: '0.8125rem' } }}
        value={text ?? JSON.stringify(scheme, null, 2)}
        error={problem && [problem.stage, problem.field, problem.message].filter((part) => part !== '').join(': ')}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          const next = parseScheme(currentTarget.value);
          if ('scheme' in next) onChange(next.scheme);
        }}
        onBlur={() => problem === undefined && setText(undefined)}
      />
    </details>
  );
}
