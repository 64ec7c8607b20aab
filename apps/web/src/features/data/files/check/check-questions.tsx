import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './import-report.module.css';
import type { CodeQuestion, ParentQuestion } from './open-questions.ts';

const SHOWN_COLUMNS = 4;
const ANSWERS = ['missing', 'value'] as const;
export type CodeAnswer = (typeof ANSWERS)[number];

/** Does a value mean "missing", or is it one? */
export function CodeQuestionField(props: {
  question: CodeQuestion;
  answer: CodeAnswer | undefined;
  onAnswer: (answer: CodeAnswer) => void;
}) {
  const { question, answer, onAnswer } = props;
  const { value, columns } = question;
  const { t } = useTranslation();
  const shown = columns.slice(0, SHOWN_COLUMNS).join(', ');
  return (
    <Radio.Group
      label={
        columns.length > SHOWN_COLUMNS
          ? t('files.report.codeInMany', { value, columns: shown, count: columns.length - SHOWN_COLUMNS })
          : t('files.report.codeIn', { value, columns: shown })
      }
      value={answer ?? null}
      onChange={(chosen) => onAnswer(chosen === 'missing' ? 'missing' : 'value')}
    >
      <div className={classes.answers}>
        {ANSWERS.map((one) => (
          <Radio
            key={one}
            value={one}
            label={t(one === 'missing' ? 'files.report.treatAsMissing' : 'files.report.isValue', { value })}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

/** Does a column hold a parent? */
export function ParentQuestionField(props: {
  question: ParentQuestion;
  answer: boolean | undefined;
  onAnswer: (isParent: boolean) => void;
}) {
  const { question, answer, onAnswer } = props;
  const { column, side } = question;
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t(`files.report.holds.${side}`, { column })}
      value={answer === undefined ? null : String(answer)}
      onChange={(chosen) => onAnswer(chosen === 'true')}
    >
      <div className={classes.answers}>
        <Radio value="true" label={t(`files.report.isParent.${side}`)} />
        <Radio value="false" label={t('files.report.isNoParent')} />
      </div>
    </Radio.Group>
  );
}
