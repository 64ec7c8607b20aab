import type { GermplasmUpload, UpdateGermplasmUploadBody } from '@heterosis/contracts/data/germplasm-uploads';
import { Anchor, Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Page } from '../../../../components/page/page.tsx';
import { StateBadge } from '../../../../components/table/state-badge.tsx';
import { useModal } from '../../../../lib/browser/modal.ts';
import type { Place } from '../../../../lib/browser/place.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { asksForParent, ParentQuestions } from '../../files/index.ts';
import { germplasmListLink, uploadQuery, useAcceptUpload, useCancelUpload, useChangeUpload } from '../germplasm.api.ts';
import { ExistingChoice } from '../upload-germplasm-modal.tsx';
import { useGermplasmCrumbs } from '../use-germplasm-place.ts';
import classes from './review.module.css';
import { ReviewRows } from './review-rows.tsx';

/** Problems that are cured by saying what the columns hold. */
const NEED_COLUMNS = ['E-COL-MISSING', 'E-COL-UNKNOWN', 'E-NO-HEADER', 'E-SHEET', 'E-ROW-WIDTH'];

/** In the order of the table below, whatever the order in the file. */
const READ_FROM = ['name', 'collection', 'maternal', 'paternal', 'synonyms', 'crop'];

/** What an uploaded file would do, to be mended and then accepted as a whole. */
export function ReviewPage({ place, uploadId }: { place: Place; uploadId: string }) {
  const { t } = useTranslation();
  const { data: upload, error, refetch } = useQuery(uploadQuery(place, uploadId));
  const crumbs = useGermplasmCrumbs(place, upload?.file_name ?? '…');
  if (!upload)
    return (
      <Page title={t('germplasm.review.title')} crumbs={crumbs}>
        {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={6} />}
      </Page>
    );
  return (
    <Page title={upload.file_name} crumbs={crumbs} aside={<UploadState upload={upload} />}>
      {upload.status === 'ACCEPTED' ? (
        <Accepted place={place} upload={upload} />
      ) : (
        <Review place={place} upload={upload} />
      )}
    </Page>
  );
}

function UploadState({ upload }: { upload: GermplasmUpload }) {
  const { t } = useTranslation();
  const { status, totals } = upload;
  const kind =
    status === 'CHECKING' || status === 'ACCEPTING'
      ? 'processing'
      : status === 'ACCEPTED'
        ? 'success'
        : status === 'FAILED' || totals.errors > 0
          ? 'error'
          : totals.warnings > 0
            ? 'warning'
            : 'success';
  const word = status === 'REVIEW' && totals.errors > 0 ? 'ERRORS' : status;
  return (
    <span role="status">
      <StateBadge kind={kind} label={t(`germplasm.review.state.${word}`)} />
    </span>
  );
}

function Accepted({ place, upload }: { place: Place; upload: GermplasmUpload }) {
  const { t } = useTranslation();
  const { create, change, founders } = upload.counts;
  return (
    <Notice kind="success">
      {t('germplasm.review.accepted', { created: formatCount(create + founders), changed: formatCount(change) })}{' '}
      <Anchor renderRoot={(props) => <Link {...(germplasmListLink(place) as LinkProps)} {...props} />}>
        {t('germplasm.review.toList')}
      </Anchor>
    </Notice>
  );
}

function Review({ place, upload }: { place: Place; upload: GermplasmUpload }) {
  const { t } = useTranslation();
  const change = useChangeUpload(place, upload.id);
  const isBusy = upload.status === 'CHECKING' || upload.status === 'ACCEPTING' || change.isPending;
  const isUnread = !isBusy && hasNoRows(upload);
  const send = (body: UpdateGermplasmUploadBody): Promise<unknown> => change.mutateAsync(body);
  return (
    <>
      <FactsStrip facts={useFacts(upload)} />
      {upload.has_first_rows && <Columns upload={upload} isBusy={isBusy} />}
      {upload.has_first_rows && (
        <ParentQuestions
          key={upload.updated_at}
          problems={upload.problems}
          mapping={upload.mapping}
          isBusy={isBusy}
          onTold={(mapping) => void send({ mapping })}
        />
      )}
      {!isUnread && (
        <div className={classes.choices}>
          {upload.may_change && (
            <ExistingChoice value={upload.existing} isRow onChange={(existing) => !isBusy && void send({ existing })} />
          )}
          <Checkbox
            label={t('germplasm.founders')}
            description={t('germplasm.foundersHint')}
            checked={upload.generate_unknown_parent}
            disabled={isBusy}
            onChange={(event) => void send({ generate_unknown_parent: event.currentTarget.checked })}
          />
        </div>
      )}
      {change.error && <ErrorNotice error={change.error} />}
      <FileProblems upload={upload} />
      {!isUnread && (
        <ReviewRows
          key={upload.totals.errors > 0 ? 'errors' : 'clean'}
          place={place}
          upload={upload}
          isBusy={isBusy}
          onSend={send}
        />
      )}
      <AcceptBar place={place} upload={upload} isBusy={isBusy} />
    </>
  );
}

/** The file could not be read as a table of germplasm, or has nothing but a header. */
const hasNoRows = ({ counts }: GermplasmUpload): boolean => Object.values(counts).every((count) => count === 0);

/** Which column was taken for what, and the way to say it otherwise. */
function Columns({ upload, isBusy }: { upload: GermplasmUpload; isBusy: boolean }) {
  const { t } = useTranslation();
  const modal = useModal();
  const isNeeded = NEED_COLUMNS.some((code) => Boolean(upload.by_code[code]));
  const text = isNeeded
    ? t('files.mapping.needed')
    : upload.problems.some(asksForParent)
      ? t('germplasm.review.columnsAsked')
      : t(upload.is_mapping_kept ? 'germplasm.review.columnsKept' : 'germplasm.review.columnsFound', {
          columns: READ_FROM.flatMap((field) => upload.columns[field] ?? []).join(', '),
        });
  return (
    <Notice kind={isNeeded ? 'warning' : 'info'}>
      <div className={classes.columns}>
        <span>
          {text}
          {upload.attributes.length > 0 &&
            ` ${t('germplasm.review.attributes', { names: upload.attributes.join(', ') })}`}
        </span>
        <Button
          size="xs"
          variant={isNeeded ? 'filled' : 'default'}
          disabled={isBusy}
          onClick={() => modal.open('map-germplasm-columns', upload.id)}
        >
          {t('files.mapping.action')}
        </Button>
      </div>
    </Notice>
  );
}

function useFacts({ counts, totals }: GermplasmUpload): Fact[] {
  const { t } = useTranslation();
  const parts = ['create', 'change', 'same', 'founders', 'conflicts'] as const;
  return [
    ...parts.map((part) => ({ label: t(`germplasm.review.count.${part}`), value: formatCount(counts[part]) })),
    { label: t('germplasm.review.errors'), value: formatCount(totals.errors) },
    { label: t('germplasm.review.warnings'), value: formatCount(totals.warnings) },
  ];
}

/** Findings about the file as a whole, and about its header, but those that are asked about with buttons. */
function FileProblems({ upload }: { upload: GermplasmUpload }) {
  const isEmpty = hasNoRows(upload);
  const ofFile = upload.problems.filter(
    (problem) => (problem.line === null || isEmpty) && !(upload.has_first_rows && asksForParent(problem)),
  );
  if (ofFile.length === 0) return null;
  return (
    <ul className={classes.problems}>
      {ofFile.map((problem, index) => (
        <li key={index} data-severity={problem.severity}>
          {problem.message} {problem.suggestion} <code>{problem.code}</code>
        </li>
      ))}
    </ul>
  );
}

function AcceptBar({ place, upload, isBusy }: { place: Place; upload: GermplasmUpload; isBusy: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const accept = useAcceptUpload(place, upload.id);
  const cancel = useCancelUpload(place, upload.id);
  const [confirms, setConfirms] = useState(false);
  const { counts, totals } = upload;
  const count = counts.create + counts.change + counts.founders;
  const reason = hasNoRows(upload)
    ? t('germplasm.review.unread')
    : totals.errors > 0
      ? t('germplasm.review.errorsRemain', { count: totals.errors })
      : counts.create + counts.change + counts.same === 0
        ? t('germplasm.review.nothing')
        : totals.warnings > 0 && !confirms
          ? t('germplasm.review.tickWarnings')
          : undefined;
  const leave = async (): Promise<void> => {
    await cancel.mutateAsync();
    await navigate(germplasmListLink(place) as Parameters<typeof navigate>[0]);
  };
  return (
    <div className={classes.bar}>
      {(accept.error ?? cancel.error) && <ErrorNotice error={accept.error ?? cancel.error} />}
      {totals.errors === 0 && totals.warnings > 0 && (
        <Checkbox
          label={t('germplasm.review.confirmWarnings', { count: totals.warnings })}
          checked={confirms}
          onChange={(event) => setConfirms(event.currentTarget.checked)}
        />
      )}
      <div className={classes.buttons}>
        {reason && <span className="hx-muted">{reason}</span>}
        <Button variant="default" loading={cancel.isPending} onClick={() => void leave()}>
          {t('germplasm.review.discard')}
        </Button>
        <Button
          disabled={reason !== undefined || isBusy}
          loading={accept.isPending || upload.status === 'ACCEPTING'}
          onClick={() => accept.mutate(totals.warnings > 0)}
        >
          {count === 0 ? t('germplasm.review.acceptNone') : t('germplasm.review.accept', { count })}
        </Button>
      </div>
    </div>
  );
}
