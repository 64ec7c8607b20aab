import type { FileProblemRecord } from '@heterosis/contracts/data/files';
import type { ColumnRole, TableMapping } from '@heterosis/contracts/data/table-mapping';
import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../components/page/notice.tsx';
import classes from './import-report.module.css';
import { openQuestions, type ParentQuestion, withRoles } from './open-questions.ts';

/** Whether a column holds its parent, by the column. */
export type ParentAnswers = Readonly<Record<string, boolean>>;
/** What becomes of a column that holds none: germplasm keeps it as an attribute. */
type Otherwise = Extract<ColumnRole, 'ignore' | 'attribute'>;

interface ParentFields {
  questions: readonly ParentQuestion[];
  answers: ParentAnswers;
  otherwise: Otherwise;
  onAnswer: (answers: ParentAnswers) => void;
}

/** Does a column hold a parent? */
export function ParentQuestionFields({ questions, answers, otherwise, onAnswer }: ParentFields) {
  const { t } = useTranslation();
  return questions.map(({ column, side }) => (
    <Radio.Group
      key={column}
      label={t(`files.report.holds.${side}`, { column })}
      value={answers[column] === undefined ? null : String(answers[column])}
      onChange={(chosen) => onAnswer({ ...answers, [column]: chosen === 'true' })}
    >
      <div className={classes.answers}>
        <Radio value="true" label={t(`files.report.isParent.${side}`)} />
        <Radio value="false" label={t(`files.report.isNoParent.${otherwise}`)} />
      </div>
    </Radio.Group>
  ));
}

/** The roles of the columns that were answered for. */
export const rolesOfParents = (
  questions: readonly ParentQuestion[],
  answers: ParentAnswers,
  otherwise: Otherwise,
): Record<string, ColumnRole> =>
  Object.fromEntries(
    questions.flatMap(({ column, side }): [string, ColumnRole][] => {
      const isParent = answers[column];
      return isParent === undefined ? [] : [[column, isParent ? side : otherwise]];
    }),
  );

/** What the review of germplasm asks about columns that may hold a parent; null when it asks nothing. */
export function ParentQuestions(props: {
  problems: readonly FileProblemRecord[];
  mapping: TableMapping | null;
  isBusy: boolean;
  onTold: (mapping: TableMapping) => void;
}) {
  const { problems, mapping, isBusy, onTold } = props;
  const { t } = useTranslation();
  const [answers, setAnswers] = useState<ParentAnswers>({});
  const { parents: questions } = openQuestions(problems);
  const roles = rolesOfParents(questions, answers, 'attribute');
  if (questions.length === 0) return null;
  return (
    <Notice kind="warning">
      <div className={classes.choices}>
        <ParentQuestionFields questions={questions} answers={answers} otherwise="attribute" onAnswer={setAnswers} />
        <Button
          size="xs"
          loading={isBusy}
          disabled={Object.keys(roles).length === 0}
          onClick={() => onTold(withRoles({ mapping }, roles))}
        >
          {t('files.report.checkWith')}
        </Button>
      </div>
    </Notice>
  );
}
