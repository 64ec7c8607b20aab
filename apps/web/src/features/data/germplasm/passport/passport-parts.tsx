import type { GermplasmValue } from '@heterosis/contracts/data/germplasm';
import type {
  Passport,
  PassportCross,
  PassportLocus,
  PassportStage,
  PassportTrial,
} from '@heterosis/contracts/data/passports';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { PhotoStrip } from '../../../../components/photos/photo-strip.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import type { Place } from '../../../../lib/browser/place.ts';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatCount, formatPValue, formatShare, formatStatistic } from '../../../../lib/format/format.ts';
import { useLowTraits, useTraitSettings } from '../../../people/projects/index.ts';
import { withUnit } from '../../files/index.ts';
import { germplasmLink } from '../germplasm.api.ts';
import { inInterval } from './estimates.ts';
import classes from './passport.module.css';

export const useUnits = (projectId: string): ((trait: string) => string | undefined) => {
  const settings = useTraitSettings(projectId);
  return (trait) => settings?.(trait).unit ?? undefined;
};

type Parent = Passport['maternal'];

/** A parent with its own parents: `B73 (A × B)`. */
export function ParentName({ projectId, parent }: { projectId: string; parent: Parent }) {
  const { t } = useTranslation();
  if (parent === null) return <span className="hx-muted">{t('germplasm.unknown')}</span>;
  const place: Place = { kind: 'project', id: projectId };
  const { maternal, paternal } = parent;
  return (
    <>
      <Link {...(germplasmLink(place, parent.id) as LinkProps)} className="hx-link">
        {parent.name}
      </Link>
      {(maternal ?? paternal) !== null && (
        <span className="hx-muted">
          {` (${maternal?.name ?? t('germplasm.unknown')} × ${paternal?.name ?? t('germplasm.unknown')})`}
        </span>
      )}
    </>
  );
}

/** `PYT, by “Spring meeting”, 3 d ago`. */
export function StageInWords({ stage }: { stage: PassportStage }) {
  const { t } = useTranslation();
  return (
    <>
      {stage.stage}
      <span className="hx-muted">
        {stage.decision !== null && `, ${t('passport.byDecision', { name: stage.decision.name })}`}
        {', '}
        <RelativeTime date={stage.set_at} />
      </span>
    </>
  );
}

/** Where the line stands among the others, by trait, as bars; low is good where the project wants it low. */
export function Standings({ projectId, standings }: { projectId: string; standings: readonly GermplasmValue[] }) {
  const { t } = useTranslation();
  const unitOf = useUnits(projectId);
  const low =
    useLowTraits(
      projectId,
      standings.map(({ trait }) => trait),
    ) ?? [];
  return (
    <table className={classes.standings} aria-label={t('passport.standings')}>
      <thead>
        <tr>
          <th scope="col">{t('word.trait')}</th>
          <th scope="col">{t('passport.estimate')}</th>
          <th scope="col">{t('word.reliability')}</th>
          <th scope="col">{t('passport.percentile')}</th>
        </tr>
      </thead>
      <tbody>
        {standings.map((one) => {
          const isLow = low.includes(one.trait);
          const share = isLow ? 1 - (one.percentile ?? 0) : (one.percentile ?? 0);
          return (
            <tr key={one.trait}>
              <th scope="row">
                {withUnit(one.trait, unitOf(one.trait))}
                <span className={classes.kind}>{t(`passport.of.${one.estimate}`)}</span>
              </th>
              <td>{inInterval(one.value, one.se)}</td>
              <td>{formatStatistic(one.reliability)}</td>
              <td>
                <span className={classes.share}>
                  <span className={classes.track} aria-hidden="true">
                    <span style={{ width: `${share * 100}%` }} />
                  </span>
                  {formatShare(share)}
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface ObservedRow {
  id: string;
  trial: PassportTrial;
  observed: PassportTrial['observed'][number];
}

export const observedRows = (trials: readonly PassportTrial[]): ObservedRow[] =>
  trials.flatMap((trial) =>
    trial.observed.map((observed) => ({ id: `${trial.id} ${observed.trait}`, trial, observed })),
  );

/** What was observed of the line in each trial, beside the checks and all lines of the trial. */
export function TrialsSection({ projectId, trials }: { projectId: string; trials: readonly PassportTrial[] }) {
  const { t } = useTranslation();
  const unitOf = useUnits(projectId);
  if (trials.length === 0) return null;
  const rows = observedRows(trials);
  const silent = trials.filter(({ observed }) => observed.length === 0);
  const number = (id: string, header: string, value: (row: ObservedRow) => number | null): DataColumn<ObservedRow> => ({
    ...{ id, header, value, numeric: true, width: 130 },
    cell: (row) => formatStatistic(value(row)),
  });
  const columns: DataColumn<ObservedRow>[] = [
    { id: 'trial', header: t('passport.trial'), value: ({ trial }) => trial.name },
    { id: 'season', header: t('trials.season'), value: ({ trial }) => trial.season, width: 110 },
    {
      ...{ id: 'trait', header: t('germplasm.trait'), narrow: true },
      value: ({ observed: { trait } }) => withUnit(trait, unitOf(trait)),
    },
    { ...number('mean', t('passport.mean'), ({ observed }) => observed.mean), narrow: true },
    number('difference', t('passport.toChecks'), ({ observed: { mean, check_mean: check } }) =>
      check === null ? null : mean - check,
    ),
    number('checks', t('passport.checkMean'), ({ observed }) => observed.check_mean),
    number('all', t('passport.trialMean'), ({ observed }) => observed.trial_mean),
    { ...number('plots', t('passport.plots'), ({ observed }) => observed.plots), width: 90 },
  ];
  return (
    <Section
      title={t('nav.trials')}
      note={[
        ...(rows.length > 0 ? [t('passport.trialsNote')] : []),
        ...(silent.length > 0
          ? [t('passport.notObserved', { count: silent.length, names: silent.map(({ name }) => name).join(', ') })]
          : []),
      ].join(' ')}
    >
      {rows.length > 0 && (
        <DataTable
          id="passport-trials"
          label={t('nav.trials')}
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          rowLink={({ trial }) => ({
            to: '/projects/$projectId/trials/$trialId',
            params: { projectId, trialId: trial.id },
          })}
          hasTools={rows.length > 10}
        />
      )}
    </Section>
  );
}

/** Photos of the plots on which the line stands. */
export function PhotosSection(props: { projectId: string; photos: Passport['photos']; count: number }) {
  const { projectId, photos, count } = props;
  const { t } = useTranslation();
  if (photos.length === 0) return null;
  return (
    <Section
      title={t('photos.title')}
      note={count > photos.length ? t('photos.shown', { shown: photos.length, count: formatCount(count) }) : undefined}
    >
      <PhotoStrip projectId={projectId} label={t('photos.title')} photos={photos} />
    </Section>
  );
}

/** What the line has at the strongest loci of each trait. */
export function LociSection({ projectId, loci }: { projectId: string; loci: readonly PassportLocus[] }) {
  const { t } = useTranslation();
  const unitOf = useUnits(projectId);
  if (loci.length === 0) return null;
  const columns: DataColumn<PassportLocus>[] = [
    { id: 'trait', header: t('germplasm.trait'), value: ({ trait }) => withUnit(trait, unitOf(trait)), narrow: true },
    { id: 'marker', header: t('passport.marker'), value: ({ marker }) => marker },
    { id: 'chr', header: t('word.chromosome'), value: ({ chr }) => chr, width: 130 },
    {
      ...{ id: 'pos', header: t('word.positionMb'), numeric: true, width: 120 },
      value: ({ pos }) => pos,
      cell: ({ pos }) => <NumberCell value={pos} kind="position" />,
    },
    {
      ...{ id: 'genotype', header: t('passport.genotype'), narrow: true, width: 110 },
      value: ({ genotype }) => genotype ?? t('gwas.noCall'),
    },
    {
      ...{ id: 'effect', header: t('passport.effect'), numeric: true, width: 180 },
      value: ({ effect }) => effect,
      cell: ({ effect, effect_allele: allele }) =>
        effect === null ? '–' : t('passport.perCopy', { effect: formatStatistic(effect), allele }),
    },
    {
      ...{ id: 'p', header: 'p', numeric: true, width: 220 },
      value: ({ p }) => p,
      cell: ({ p, is_significant }) => (
        <>
          {formatPValue(p)}
          {!is_significant && <span className="hx-muted"> {t('passport.notSignificant')}</span>}
        </>
      ),
    },
    { id: 'run', header: 'GWAS', value: ({ run }) => run.name, hidden: true },
  ];
  return (
    <Section title={t('passport.loci')} note={t('passport.lociNote')}>
      <DataTable
        id="passport-loci"
        label={t('passport.loci')}
        columns={columns}
        rows={[...loci]}
        rowId={({ trait, marker }) => `${trait} ${marker}`}
        rowLink={({ run, trait, marker }) => ({ ...runLink('gwas', projectId, run.id), search: { trait, marker } })}
        hasTools={loci.length > 10}
      />
    </Section>
  );
}

/** The crosses that the line is a parent of, by crossing tables. */
export function CrossesSection({ projectId, crosses }: { projectId: string; crosses: readonly PassportCross[] }) {
  const { t } = useTranslation();
  if (crosses.length === 0) return null;
  const columns: DataColumn<PassportCross>[] = [
    { id: 'name', header: t('passport.cross'), value: ({ name }) => name, narrow: true },
    { id: 'parents', header: t('passport.parents'), value: ({ parents }) => parents.join(' × ') },
    {
      ...{ id: 'progeny', header: t('germplasm.progeny'), numeric: true, width: 120 },
      value: ({ progeny }) => progeny,
      cell: ({ progeny }) => (progeny === null ? '–' : formatCount(progeny)),
    },
    { id: 'file', header: t('passport.crossingTable'), value: ({ file }) => file.name },
  ];
  return (
    <Section title={t('passport.crosses')}>
      <DataTable
        id="passport-crosses"
        label={t('passport.crosses')}
        columns={columns}
        rows={[...crosses]}
        rowId={({ file, name, parents }) => `${file.id} ${name} ${parents.join(' ')}`}
        rowLink={({ file }) => ({ to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: file.id } })}
        hasTools={crosses.length > 10}
      />
    </Section>
  );
}

/** Lists of the project that name the line, as links. */
export function ListLinks({ projectId, lists }: { projectId: string; lists: Passport['lists'] }) {
  return (
    <>
      {lists.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link to="/projects/$projectId/lists" params={{ projectId }} search={{ list: id }} className="hx-link">
            {name}
          </Link>
        </span>
      ))}
    </>
  );
}
