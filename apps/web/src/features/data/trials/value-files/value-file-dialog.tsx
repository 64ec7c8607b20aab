import type { Trial } from '@heterosis/contracts/data/trials';
import type { ValueFileReview } from '@heterosis/contracts/data/value-files';
import { Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { asProblem } from '../../../../lib/api/problem.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { FileDrop } from '../../files/index.ts';
import { FileDifferences } from './file-differences.tsx';
import { FileWarnings, RefusedValues } from './file-findings.tsx';
import { FileTraits } from './file-traits.tsx';
import { type Choices, type FileDifference, keyOfDifference, reviewQuery, useRecordFile } from './value-files.api.ts';
import classes from './value-files.module.css';

/** Values from a file: what it would change, and what somebody has to decide, before anything is stored. */
export function ValueFileDialog(props: {
  projectId: string;
  trial: Trial;
  file?: File | undefined;
  onClose: () => void;
}) {
  const { projectId, trial, onClose } = props;
  const { t } = useTranslation();
  const [file, setFile] = useState(props.file);
  const [choices, setChoices] = useState<Choices>({});
  const [rule, setRule] = useState<'file' | 'trial'>();
  const [flipped, setFlipped] = useState<ReadonlyMap<string, FileDifference>>(new Map());
  const [isLeftOut, setLeftOut] = useState(false);
  const { data, error, isFetching } = useQuery(reviewQuery(projectId, trial.id, file, choices));
  const record = useRecordFile(projectId, trial.id);
  const review = error ? undefined : data;
  const change = (more: Choices): void => setChoices({ ...choices, ...more });
  const reason = review && reasonToWait(review, { rule, isLeftOut });
  const stored = review ? storedOf(review, rule, flipped) : 0;
  const wait = (): string | undefined => {
    if (file === undefined || error) return t('germplasm.chooseFile');
    // While it is read, also again after a choice, what would be stored is not known.
    if (review === undefined || isFetching) return t('page.loading');
    if (reason !== undefined) return t(`trials.file.wait.${reason}`);
    return stored === 0 ? t('trials.file.nothingNew') : undefined;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (file === undefined || review === undefined || wait() !== undefined || record.isPending) return;
    const except = [...flipped.values()].map(({ trial_id, plot, trait }) => ({ trial_id, plot, trait }));
    const decided = { ...choices, differences: rule, except, leave_out_refused: isLeftOut, reviewed: review.review };
    const answer = await record.mutateAsync({ file, choices: decided }).catch(() => undefined);
    if (answer === undefined) return;
    showToast({ text: t('trials.file.stored', { count: answer.recorded, n: formatCount(answer.recorded) }) });
    onClose();
  };
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return;
    setFile(chosen);
    setChoices({});
    setRule(undefined);
    setFlipped(new Map());
    setLeftOut(false);
    record.reset();
  };
  return (
    <ModalFrame
      title={t('trials.file.title')}
      help="field-trials#values-from-files"
      onClose={onClose}
      busy={record.isPending}
      size="64rem"
      unsaved={{ isDirty: flipped.size > 0 || Object.keys(choices).length > 0 }}
    >
      <form className={formClasses.form} onSubmit={(event) => void submit(event)}>
        <FileDrop
          label={t(file === undefined ? 'germplasm.chooseFile' : 'trials.file.another')}
          multiple={false}
          isSmall={file !== undefined}
          onFiles={([first]) => choose(first)}
        >
          {file === undefined ? t('trials.file.formats') : file.name}
        </FileDrop>
        {file !== undefined && error && <ErrorNotice error={error} />}
        {file !== undefined && !review && !error && <SkeletonLines lines={4} />}
        {review && (
          <div className={classes.review} aria-busy={isFetching}>
            <FactsStrip facts={factsOf(review, t)} />
            {review.trials.some(({ trial_id: id }) => id !== trial.id) && <Places trials={review.trials} />}
            <FileWarnings review={review} />
            <FileTraits
              projectId={projectId}
              traits={review.traits}
              isBusy={isFetching}
              onChoose={(header, trait) => change({ traits: { ...choices.traits, [header]: trait } })}
            />
            <WhenAndWho review={review} choices={choices} onChange={change} />
            {review.refused.total > 0 && (
              <RefusedValues refused={review.refused} isLeftOut={isLeftOut} onLeaveOut={setLeftOut} />
            )}
            {review.differences.total > 0 && (
              <FileDifferences
                differences={review.differences}
                trials={review.trials}
                rule={rule}
                except={new Set(flipped.keys())}
                onRule={(next) => {
                  setRule(next);
                  setFlipped(new Map());
                }}
                onFlip={(difference) => {
                  const next = new Map(flipped);
                  const key = keyOfDifference(difference);
                  if (!next.delete(key)) next.set(key, difference);
                  setFlipped(next);
                }}
              />
            )}
          </div>
        )}
        <FormFooter
          submitLabel={t('trials.file.store', { count: stored, n: formatCount(stored) })}
          isPending={record.isPending}
          problem={record.error === null ? undefined : asProblem(record.error)}
          disabledReason={
            record.isPending ? t('trials.file.storing', { count: stored, n: formatCount(stored) }) : wait()
          }
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}

type Reason = 'traits' | 'dates' | 'refused' | 'differences';

function reasonToWait(
  { traits, date_order_open: datesOpen, refused, differences }: ValueFileReview,
  { rule, isLeftOut }: { rule: string | undefined; isLeftOut: boolean },
): Reason | undefined {
  if (traits.some(({ is_open: isOpen }) => isOpen)) return 'traits';
  if (datesOpen) return 'dates';
  if (refused.total > 0 && !isLeftOut) return 'refused';
  return differences.total > 0 && rule === undefined ? 'differences' : undefined;
}

/** How many plots and traits get another value. */
function storedOf(
  { trials, differences }: ValueFileReview,
  rule: 'file' | 'trial' | undefined,
  flipped: ReadonlyMap<string, FileDifference>,
): number {
  const added = trials.reduce((sum, trial) => sum + trial.added, 0);
  return added + (rule === 'file' ? differences.total - flipped.size : flipped.size);
}

function factsOf({ trials, refused, rows, shape, is_field_book: isFieldBook }: ValueFileReview, t: TFunction): Fact[] {
  const sum = (of: 'added' | 'different' | 'unchanged'): string =>
    formatCount(trials.reduce((total, trial) => total + trial[of], 0));
  return [
    { label: t('trials.file.kind'), value: t(isFieldBook ? 'trials.file.fieldBook' : `trials.file.shape.${shape}`) },
    { label: t('trials.file.rows'), value: formatCount(rows) },
    { label: t('trials.file.added'), value: sum('added'), hint: t('trials.file.addedHint') },
    { label: t('trials.file.different'), value: sum('different') },
    { label: t('trials.file.unchanged'), value: sum('unchanged'), hint: t('trials.file.unchangedHint') },
    { label: t('trials.file.refusedLabel'), value: formatCount(refused.total) },
  ];
}

/** A file of several places. */
function Places({ trials }: { trials: ValueFileReview['trials'] }) {
  const { t } = useTranslation();
  return (
    <p className="hx-muted">
      {trials
        .map(({ name, added, different }) =>
          t('trials.file.place', { name, added: formatCount(added), different: formatCount(different) }),
        )
        .join(' · ')}
    </p>
  );
}

/** Asked where the file does not say it. */
function WhenAndWho(props: { review: ValueFileReview; choices: Choices; onChange: (choices: Choices) => void }) {
  const { review, choices, onChange } = props;
  const { t } = useTranslation();
  const has = (role: string): boolean => review.columns.some((column) => column.role === role);
  const isAsked = review.date_order_open || choices.date_order !== undefined;
  if (!isAsked && has('time') && has('person')) return null;
  return (
    <div className={classes.asked}>
      {!has('time') && (
        <TextInput
          type="date"
          label={t('trials.file.observedOn')}
          description={t('trials.file.observedOnHint')}
          value={choices.observed_on ?? ''}
          onChange={(event) => onChange({ observed_on: event.currentTarget.value || undefined })}
        />
      )}
      {!has('person') && (
        <TextInput
          label={t('trials.collector')}
          description={t('trials.file.collectorHint')}
          defaultValue={choices.collector ?? ''}
          onBlur={(event) => onChange({ collector: event.currentTarget.value.trim() || undefined })}
        />
      )}
      {isAsked && (
        <Radio.Group
          label={t('trials.file.dateOrder')}
          value={choices.date_order ?? ''}
          onChange={(next) => onChange({ date_order: next as 'day-first' | 'month-first' })}
        >
          <div className={classes.orders}>
            <Radio value="day-first" label={t('trials.file.dayFirst')} />
            <Radio value="month-first" label={t('trials.file.monthFirst')} />
          </div>
        </Radio.Group>
      )}
    </div>
  );
}
