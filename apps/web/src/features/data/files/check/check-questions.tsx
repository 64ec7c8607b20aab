import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './import-report.module.css';
import type { CodeQuestion } from './open-questions.ts';

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
