import type { Trial, TrialPlots } from '@heterosis/contracts/data/trials';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PlotPhotos } from '../photos/plot-photos.tsx';
import { isGrown, rowsOfTrial } from '../plot-rows.ts';
import { Completeness } from './completeness.tsx';
import type { EntryProps } from './entry-props.ts';
import { MeasuredTraits } from './measured-traits.tsx';
import { Questions } from './questions.tsx';
import { Staged } from './staged.tsx';
import { useKeptOffline } from './use-kept-offline.ts';
import { type Outbox, useOutbox } from './use-outbox.ts';
import { useValues } from './use-values.ts';
import { ValueCards } from './value-cards.tsx';
import { ValueGrid } from './value-grid.tsx';
import { readPasted } from './value-table.ts';
import classes from './values.module.css';

/** Cells that a message lists. */
const SHOWN = 3;

/**
 * Values as they come in: a grid on a desk, one plot at a time on a phone, where what is set up once stands below it;
 * open questions; how far it is.
 */
export function TrialValues(props: {
  projectId: string;
  trial: Trial;
  plots: TrialPlots;
  mayWrite: boolean;
  /** Asks for a file of values. */
  onFile: () => void;
}) {
  const { projectId, trial, plots, mayWrite, onFile } = props;
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const rows = useMemo(() => rowsOfTrial(plots), [plots]);
  const grown = useMemo(() => rows.number.flatMap((_, plot) => (isGrown(rows, plot) ? [plot] : [])), [rows]);
  const outbox = useOutbox(projectId, trial.id);
  const values = useValues(projectId, trial, outbox.values);
  const isKept = useKeptOffline(!values.isLoading);
  const [complaint, setComplaint] = useState<string>();
  const isReadOnly = !mayWrite || trial.state === 'CLOSED';
  const cellText = (plot: number, trait: string): string => t('trials.valueOf', { trait, plot });
  const entry: EntryProps = {
    ...{ plots: rows, grown, traits: values.traits, cellAt: values.cellAt },
    isReadOnly: (trait) => isReadOnly || values.isPending(trait),
    besides: (plot) => (
      <PlotPhotos key={plot} projectId={projectId} trialId={trial.id} plot={plot} mayAdd={!isReadOnly} />
    ),
    onType: (plot, trait, value) => outbox.put([{ plot, trait, value, corrects: values.cellAt(plot, trait).ids }]),
    onPaste: (text, from) => {
      const numbers = grown.map((plot) => rows.number[plot] ?? 0);
      const { taken, refused, beyond } = readPasted(text, from, { plots: numbers, traits: values.traits });
      const changed = taken.filter(({ plot, trait, value }) => values.cellAt(plot, trait).text !== value);
      if (changed.length > 0)
        outbox.put(changed.map((one) => ({ ...one, corrects: values.cellAt(one.plot, one.trait).ids })));
      const sentences = refused
        .slice(0, SHOWN)
        .map(({ plot, trait, value, reason }) => `${cellText(plot, trait)}: “${value}” ${reason}.`);
      setComplaint(
        [
          ...(refused.length === 0 ? [] : [t('trials.pasteRefused', { count: refused.length }), ...sentences]),
          ...(beyond === 0 ? [] : [t('trials.pasteBeyond', { count: beyond })]),
        ].join(' ') || undefined,
      );
    },
    onComplaint: (said) => {
      setComplaint(said && `${cellText(said.plot, said.trait)} ${said.sentence}.`);
    },
  };
  const bar = mayWrite && trial.state !== 'CLOSED' && (
    <div className={classes.bar}>
      <MeasuredTraits projectId={projectId} trial={trial} />
      <Button variant="default" onClick={onFile}>
        {t('trials.file.open')}
      </Button>
    </div>
  );
  return (
    <div className={classes.values} data-trial-values>
      {!isNarrow && bar}
      {trial.state === 'CLOSED' && <Notice>{t('trials.closedValues')}</Notice>}
      <Staged projectId={projectId} trialId={trial.id} mayWrite={!isReadOnly} />
      <Questions projectId={projectId} trialId={trial.id} mayWrite={!isReadOnly} />
      {values.error && <ErrorNotice error={values.error} />}
      {trial.traits.length === 0 ? (
        <>
          <EmptyState title={t('trials.noTraits')}>{t('trials.noTraitsText')}</EmptyState>
          {isNarrow && bar}
        </>
      ) : values.isLoading ? (
        <SkeletonLines lines={8} />
      ) : (
        <>
          <OutboxState outbox={outbox} isKept={isKept} />
          <p className={classes.complaint} role="alert">
            {complaint}
          </p>
          {isNarrow ? <ValueCards {...entry} /> : <ValueGrid {...entry} />}
          {isNarrow && bar}
          <Completeness projectId={projectId} trialId={trial.id} />
        </>
      )}
    </div>
  );
}

/** Whether everything that was typed is stored. */
function OutboxState({ outbox, isKept }: { outbox: Outbox; isKept: boolean }) {
  const { t } = useTranslation();
  const { state, values, problem } = outbox;
  const refused = values.filter((value) => value.refused !== undefined);
  const waiting = values.length - refused.length;
  return (
    <>
      <p className={classes.state} role="status" data-state={state} data-outbox={state}>
        {t(`trials.outbox.${state}`, { count: waiting })}
        {isKept && <span className="hx-muted">{t('trials.keptOffline')}</span>}
        {state === 'stopped' && (
          <Button size="compact-xs" variant="default" onClick={outbox.sendAgain}>
            {t('error.retry')}
          </Button>
        )}
      </p>
      {problem && <ErrorNotice error={problem} />}
      {refused.length > 0 && (
        <Notice kind="warning">
          {refused.slice(0, SHOWN).map(({ id, refused: reason }) => (
            <div key={id}>{reason}</div>
          ))}
        </Notice>
      )}
    </>
  );
}
