import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './import-report.module.css';
import { firstOf, type Leavable } from './problem-groups.ts';

/** What is left out of it, by the id of a {@link Leavable}. */
export type LeaveAnswers = Readonly<Record<string, 'rows' | 'cells'>>;

/** Offers to leave out rows and cells that stand in the way of the others. */
export function LeaveOutChoices(props: {
  leavables: readonly Leavable[];
  answers: LeaveAnswers;
  onAnswer: (answers: LeaveAnswers) => void;
}) {
  const { answers, onAnswer } = props;
  const { t } = useTranslation();
  const listed = (places: readonly (number | string)[]): string => {
    const { shown, more } = firstOf(places);
    return more > 0 ? t('files.report.andMore', { shown, count: more }) : shown;
  };
  const choose = (id: string, answer: 'rows' | 'cells', isChosen: boolean): void => {
    const { [id]: _, ...others } = answers;
    onAnswer(isChosen ? { ...others, [id]: answer } : others);
  };
  return props.leavables.map(({ id, columns, values, lines, cells }) => (
    <div key={id} className={classes.options}>
      {cells.length > 0 && (
        <Checkbox
          label={t('files.report.leaveCells', {
            count: cells.length,
            columns: listed(columns),
            values: listed(values.map((value) => `“${value}”`)),
          })}
          checked={answers[id] === 'cells'}
          onChange={(event) => choose(id, 'cells', event.currentTarget.checked)}
        />
      )}
      <Checkbox
        label={t(cells.length > 0 ? 'files.report.leaveTheirRows' : 'files.report.leaveRows', {
          count: lines.length,
          lines: listed(lines),
          values: listed(values.map((value) => `“${value}”`)),
        })}
        checked={answers[id] === 'rows'}
        onChange={(event) => choose(id, 'rows', event.currentTarget.checked)}
      />
    </div>
  ));
}
