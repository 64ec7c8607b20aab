import { Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { type BoardRow, bestByIndex } from './board-rows.ts';
import classes from './decisions.module.css';
import type { MarkQueue } from './use-mark-queue.ts';

/** Marks the best lines by the index to advance, and drops the others, with a reason; single ones are changed after. */
export function MarkManyDialog(props: {
  rows: readonly BoardRow[];
  best: number;
  queue: Pick<MarkQueue, 'mark'>;
  onClose: () => void;
}) {
  const { rows, best, queue, onClose } = props;
  const { t } = useTranslation();
  const [count, setCount] = useState<FieldNumber>(best);
  const [reason, setReason] = useState('');
  const candidates = rows.filter(({ isCheck }) => !isCheck);
  const limits = { min: 1, max: Math.max(1, candidates.length), isWhole: true };
  const number = numberOf(count);
  const isValid = Number.isInteger(number) && number >= limits.min && number <= limits.max;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isValid) return;
    const chosen = new Set(bestByIndex(rows, number).map((row) => row.number));
    const said = reason.trim() || t('decisions.bestReason', { count: number });
    queue.mark([...chosen], 'ADVANCE', { reason: said });
    const others = candidates.flatMap((row) => (chosen.has(row.number) ? [] : [row.number]));
    if (others.length > 0) queue.mark(others, 'DROP', { reason: said });
    onClose();
  };
  return (
    <ModalFrame title={t('decisions.markBest')} onClose={onClose} size="sm" unsaved={{ isDirty: false }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className="hx-muted">{t('decisions.markBestText')}</p>
        <NumberField label={t('decisions.howMany')} limits={limits} value={count} onChange={setCount} />
        <Textarea
          label={t('decisions.reason')}
          placeholder={t('decisions.bestReason', { count: isValid ? number : best })}
          autosize
          minRows={1}
          maxLength={1000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <FormFooter
          submitLabel={t('decisions.markThem')}
          isPending={false}
          onCancel={onClose}
          disabledReason={isValid ? undefined : t('decisions.howMany')}
        />
      </form>
    </ModalFrame>
  );
}
