import type { MatchResult, matchBody } from '@heterosis/contracts/data/match';
import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { formatCount, formatShare, formatTick } from '../../../lib/format/format.ts';
import { useProjectRights } from '../../people/projects/index.ts';
import { matchQuery, useKeepSynonyms } from './match.api.ts';
import classes from './match-panel.module.css';

type MatchBody = z.input<typeof matchBody>;
export interface Rename {
  from: string;
  to: string;
}

/** Beside the fields of a run dialog: which names the chosen files share, before anything is started. */
export function MatchPanel(props: {
  projectId: string;
  /** Undefined until both files are chosen. */
  body: MatchBody | undefined;
  renames: Rename[];
  onRenames: (renames: Rename[]) => void;
  hint: string;
  title?: string;
  /** The run itself deals with what prevents it. */
  isMended?: boolean;
  /** False while it is not known which markers count. */
  hasThresholds?: boolean;
}) {
  const { t } = useTranslation();
  const title = props.title ?? t('match.title');
  return (
    <section className={`${classes.panel} ${classes.match}`} aria-live="polite" aria-label={title}>
      <h3>{title}</h3>
      {props.body ? <MatchCounts {...props} body={props.body} /> : <p className={classes.hint}>{props.hint}</p>}
    </section>
  );
}

/** The panel of a training or an association study: the names of a genotype against those of a phenotype. */
export function InputMatchPanel({
  projectId,
  inputs,
}: {
  projectId: string;
  inputs: {
    matchBody: MatchBody | undefined;
    renames: Rename[];
    setRenames: (renames: Rename[]) => void;
    hasThresholds: boolean;
  };
}) {
  const { t } = useTranslation();
  return (
    <MatchPanel
      projectId={projectId}
      body={inputs.matchBody}
      renames={inputs.renames}
      onRenames={inputs.setRenames}
      hint={t('match.hint')}
      hasThresholds={inputs.hasThresholds}
    />
  );
}

/** The result for the dialog around the panel, which must not start a run that would be refused. */
export function useMatch(projectId: string, body: MatchBody | undefined) {
  return useQuery({
    ...matchQuery(projectId, body ?? { genotype_id: '' }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  });
}

function MatchCounts(props: {
  projectId: string;
  body: MatchBody;
  renames: Rename[];
  onRenames: (renames: Rename[]) => void;
  isMended?: boolean;
  hasThresholds?: boolean;
}) {
  const { t } = useTranslation();
  const match = useMatch(props.projectId, props.body);
  if (match.error) return <ErrorNotice error={match.error} onRetry={() => void match.refetch()} />;
  if (!match.data) return <Skeleton height={120} />;
  const result = match.data;
  return (
    <>
      {result.panel ? (
        <PanelCounts result={result} />
      ) : (
        <NameCounts result={result} isCrossing={props.body.crossing_table_id !== undefined} />
      )}
      <p className={classes.note}>
        {(props.hasThresholds ?? true) &&
          t('match.markers', {
            after: formatCount(result.markers.after_qc),
            total: formatCount(result.markers.total),
            maf: formatTick(result.markers.thresh_maf),
            callRate: formatTick(result.markers.thresh_callrate),
          })}
        {(props.hasThresholds ?? true) && ' · '}
        {t('match.missing', { share: formatShare(result.markers.missing_share) })}
      </p>
      {!result.panel && <Ambiguities {...props} result={result} />}
      {!result.panel && <Suggestions {...props} result={result} />}
      {!result.can_run && !props.isMended && <p className={classes.refusal}>{result.reason}</p>}
    </>
  );
}

function NameCounts({ result, isCrossing }: { result: MatchResult; isCrossing: boolean }) {
  const { t } = useTranslation();
  const folded = result.both_names.filter((pair) => pair.how !== 'exact');
  return (
    <>
      <table className={classes.counts}>
        <tbody>
          <tr>
            <th scope="row">
              {t('files.type.GENOTYPE')} <span className={classes.file}>{result.left.name}</span>
            </th>
            <td>{t('match.samples', { count: result.left.count })}</td>
          </tr>
          {result.kept && (
            <tr>
              <th scope="row">{t('match.afterLeavingOut')}</th>
              <td>
                {!result.kept.is_exact && `${t('match.about')} `}
                {t('match.samples', { count: result.kept.samples })},{' '}
                {t('match.markerCount', { count: result.kept.markers })}
              </td>
            </tr>
          )}
          <tr>
            <th scope="row">
              {isCrossing ? t('files.type.CROSSING_TABLE') : t('files.type.PHENOTYPE')}{' '}
              <span className={classes.file}>{result.right.name}</span>
            </th>
            <td>{t(isCrossing ? 'match.parents' : 'match.lines', { count: result.right.count })}</td>
          </tr>
          <tr>
            <th scope="row">{t('match.both')}</th>
            <td>
              <strong>{formatCount(result.both)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
      {/* Of a crossing table nobody expects that it has the whole panel. */}
      {!isCrossing && (
        <NameList label={t('match.onlyGenotype')} count={result.only_left} names={result.only_left_names} />
      )}
      <NameList
        label={t(isCrossing ? 'match.onlyCrossingTable' : 'match.onlyPhenotype')}
        count={result.only_right}
        names={result.only_right_names}
      />
      {isCrossing && result.only_right > 0 && result.can_run && (
        <p className={classes.hint}>{t('match.crossesLeftOut')}</p>
      )}
      {folded.length > 0 && (
        <NameList
          label={t('match.folded')}
          count={folded.length}
          names={folded.map((pair) => `${pair.right} → ${pair.left}`)}
        />
      )}
    </>
  );
}

/** Names that could mean several others, with a button for each way to decide it. */
function Ambiguities({
  result,
  renames,
  onRenames,
}: {
  result: MatchResult;
  renames: Rename[];
  onRenames: (renames: Rename[]) => void;
}) {
  const { t } = useTranslation();
  return result.ambiguous.map(({ name, candidates, renames: decisions }) => (
    <div key={name}>
      <p className={classes.refusal}>
        {t('match.ambiguous', { name, candidates: candidates.map((one) => `“${one}”`).join(t('match.or')) })}{' '}
        {decisions.length === 0 && t('match.renameInFile')}
      </p>
      <p className={classes.decisions}>
        {decisions.map((decision) => (
          <Button
            key={`${decision.from} ${decision.to}`}
            size="compact-xs"
            variant="default"
            onClick={() => onRenames([...renames, decision])}
          >
            {t('match.takeAs', decision)}
          </Button>
        ))}
      </p>
    </div>
  ));
}

function NameList({ label, count, names }: { label: string; count: number; names: string[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <table className={classes.counts}>
        <tbody>
          <tr>
            <th scope="row">{label}</th>
            <td>
              {formatCount(count)}{' '}
              {count > 0 && (
                <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                  {isOpen ? t('match.hide') : t('match.show')}
                </Button>
              )}
            </td>
          </tr>
        </tbody>
      </table>
      {isOpen && (
        <ul className={classes.names} tabIndex={0} aria-label={label}>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
          {count > names.length && (
            <li className={classes.hint}>{t('word.andMore', { count: count - names.length })}</li>
          )}
        </ul>
      )}
    </>
  );
}

function Suggestions(props: {
  projectId: string;
  result: MatchResult;
  renames: Rename[];
  onRenames: (renames: Rename[]) => void;
}) {
  const { t } = useTranslation();
  const { projectId, result, renames, onRenames } = props;
  const { may } = useProjectRights(projectId);
  const keep = useKeepSynonyms(projectId);
  const open = result.suggestions.filter((one) => !renames.some((rename) => rename.from === one.right));
  // A name that looks like several is left to the eye.
  const sure = open.filter((one) =>
    open.every((other) => other === one || (other.right !== one.right && other.left !== one.left)),
  );
  const kept = keep.data && <p role="status">{t('match.kept', { count: keep.data.data.length })}</p>;
  if (open.length === 0 && renames.length === 0) return kept ?? null;
  return (
    <div className={classes.suggest}>
      <div className={classes.suggestHead}>
        <strong>{t('match.lookAlike')}</strong>
        {sure.length > 1 && (
          <Button
            size="compact-xs"
            variant="subtle"
            title={t('match.renameAllHint')}
            onClick={() =>
              onRenames([...renames, ...sure.map(({ left, right }): Rename => ({ from: right, to: left }))])
            }
          >
            {t('match.renameAll', { count: sure.length })}
          </Button>
        )}
      </div>
      <ul className={classes.names} tabIndex={0} aria-label={t('match.lookAlike')}>
        {renames.map((rename) => (
          <li key={`done ${rename.from}`}>
            <span>
              {rename.from} → {rename.to}
            </span>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => onRenames(renames.filter((one) => one !== rename))}
            >
              {t('match.undo')}
            </Button>
          </li>
        ))}
        {open.map((one) => (
          <li key={`${one.right} ${one.left}`}>
            <span>
              {one.right} ≈ {one.left}
            </span>
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => onRenames([...renames, { from: one.right, to: one.left }])}
            >
              {t('match.rename')}
            </Button>
          </li>
        ))}
      </ul>
      {may('add_synonyms') && renames.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          title={t('match.keepHint')}
          loading={keep.isPending}
          // Stored, they match by themselves.
          onClick={() => keep.mutate(renames, { onSuccess: () => onRenames([]) })}
        >
          {t('match.keep', { count: renames.length })}
        </Button>
      )}
      {kept}
      {keep.error && <ErrorNotice error={keep.error} />}
    </div>
  );
}

function PanelCounts({ result }: { result: MatchResult }) {
  const { t } = useTranslation();
  const panel = result.panel;
  if (!panel) return null;
  return (
    <table className={classes.counts}>
      <tbody>
        <tr>
          <th scope="row">{t('match.sharedMarkers')}</th>
          <td>
            <strong>{formatCount(panel.shared)}</strong>
          </td>
        </tr>
        <tr>
          <th scope="row">{t('match.missingMarkers')}</th>
          <td>{formatCount(panel.missing)}</td>
        </tr>
        <tr>
          <th scope="row">{t('match.swappedMarkers')}</th>
          <td>{formatCount(panel.swapped)}</td>
        </tr>
        {panel.variance_share !== null && (
          <tr>
            <th scope="row">{t('match.varianceShare')}</th>
            <td>{formatShare(panel.variance_share)}</td>
          </tr>
        )}
        <tr>
          <th scope="row">{t('files.type.GENOTYPE')}</th>
          <td>{t('match.markerCount', { count: result.left.count })}</td>
        </tr>
      </tbody>
    </table>
  );
}
