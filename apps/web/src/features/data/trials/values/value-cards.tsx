import { Button, Select } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EntryProps, fieldOf } from './entry-props.ts';
import { ValueInput } from './value-input.tsx';
import classes from './values.module.css';

/** One plot at a time, for a phone in the sun: large, dark on light, and on to the next plot with one press. */
export function ValueCards(props: EntryProps) {
  const { plots, grown, traits, cellAt, onType, onComplaint, besides } = props;
  const { t } = useTranslation();
  const id = useId();
  // Where one left off: the first plot that lacks a value.
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      grown.findIndex((plot) => traits.some(({ name }) => cellAt(plots.number[plot] ?? 0, name).state === 'empty')),
    ),
  );
  const plot = grown[at] ?? 0;
  const number = plots.number[plot] ?? 0;
  const go = (to: number, focus = false): void => {
    setAt(Math.min(grown.length - 1, Math.max(0, to)));
    onComplaint(undefined);
    if (focus) requestAnimationFrame(() => document.getElementById(`${id}-0`)?.focus());
  };
  return (
    <div className={classes.cards} data-plot={number}>
      <div className={classes.plotHead}>
        <strong>{t('trials.plotNumber', { number })}</strong>
        <span>{plots.entry[plot]}</span>
        <span>{t('trials.rowAndColumn', { row: plots.row[plot] ?? '–', column: plots.column[plot] ?? '–' })}</span>
      </div>
      {traits.map((trait, column) => {
        const { name, unit, scale } = trait;
        const field = fieldOf(props, number, trait);
        const label = unit === null ? name : `${name} (${unit})`;
        return (
          <div key={`${number} ${name}`} className={classes.question}>
            <label htmlFor={`${id}-${column}`}>{label}</label>
            <ValueInput
              {...field}
              id={`${id}-${column}`}
              label={label}
              onMove={(down) => {
                const next = document.getElementById(`${id}-${column + down}`);
                if (next) next.focus();
                else if (down > 0) go(at + 1, true);
              }}
            />
            {scale?.kind === 'categories' && !field.isReadOnly && (
              <div className={classes.categories}>
                {scale.categories.map(({ value, label: word }) => (
                  <Button
                    key={value}
                    variant={field.text === value ? 'filled' : 'default'}
                    onClick={() => onType(number, name, value)}
                  >
                    {word === null ? value : `${value} ${word}`}
                  </Button>
                ))}
              </div>
            )}
          </div>
        );
      })}
      <div className={classes.steps}>
        <Button variant="default" disabled={at === 0} onClick={() => go(at - 1)}>
          {t('trials.previousPlot')}
        </Button>
        <Button disabled={at >= grown.length - 1} onClick={() => go(at + 1)}>
          {t('trials.nextPlot')}
        </Button>
      </div>
      {besides(number)}
      <Select
        label={t('trials.goToPlot')}
        searchable
        limit={50}
        allowDeselect={false}
        value={String(at)}
        onChange={(to) => to !== null && go(Number(to))}
        data={grown.map((one, place) => ({
          value: String(place),
          label: `${plots.number[one]} ${plots.entry[one] ?? ''}`,
        }))}
      />
    </div>
  );
}
