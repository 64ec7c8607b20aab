import { stripOption } from '@heterosis/charts/strip';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { GwasDetail, GwasMarker, GwasRow } from '@heterosis/contracts/work/gwas';
import { partsOfResult } from '@heterosis/contracts/work/gwas-names';
import { Button, CopyButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import { IconX } from '../../../../components/icons.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import figureClasses from '../../../../components/page/figures.module.css';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import {
  formatCount,
  formatMeanSd,
  formatPValue,
  formatShare,
  formatStatistic,
} from '../../../../lib/format/format.ts';
import { meanAndSd } from '../../../../lib/format/mean-and-sd.ts';
import { useUnitOf, withUnit } from '../../../data/files/index.ts';
import { CommentThread } from '../../../people/comments/index.ts';
import { gwasMarkerQuery } from '../gwas.api.ts';
import classes from '../gwas-trait-result.module.css';
import { useTestGiven } from '../use-test-given.ts';
import { neighboursOption } from './neighbours-option.ts';

const HEIGHT = 280;
/** The small tables under both figures, about. */
const TABLE_PX = 160;

/** The chosen marker: its alleles and figures, phenotypes by genotype, and its neighbours coloured by LD. */
export function MarkerDetail(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  markerId: string;
  onMarker: (id: string | undefined) => void;
  onZoom: (row: GwasRow) => void;
}) {
  const { projectId, gwas, trait, markerId, onMarker, onZoom } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(gwasMarkerQuery(projectId, gwas.id, trait, markerId));
  const unit = useUnitOf(projectId, gwas.phenotype)(partsOfResult(gwas, trait).trait);
  const testGiven = useTestGiven(projectId, gwas);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  // Whoever opened the marker, from the table below or the plot above, is led to it and back again.
  useEffect(() => {
    opener.current = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const close = (): void => {
    onMarker(undefined);
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };
  return (
    <section className={classes.detail} aria-label={t('gwas.markerTitle', { marker: markerId })}>
      <div className={classes.detailHead}>
        <h2 ref={heading} tabIndex={-1}>
          {t('gwas.markerTitle', { marker: markerId })}
        </h2>
        <div className={classes.detailActions}>
          {data && (
            <Button size="compact-xs" variant="default" onClick={() => onZoom(data.row)}>
              {t('gwas.zoomToMarker')}
            </Button>
          )}
          {data && testGiven && (
            <Button size="compact-xs" variant="default" onClick={() => testGiven([markerId])}>
              {t('gwas.testGiven')}
            </Button>
          )}
          <CopyButton value={window.location.href}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                {copied ? t('word.copied') : t('gwas.copyLink')}
              </Button>
            )}
          </CopyButton>
          <IconButton label={t('gwas.closeMarker')} onClick={close}>
            <IconX size={18} />
          </IconButton>
        </div>
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <>
          <SkeletonLines lines={2} />
          <div className={figureClasses.figures}>
            <FigureSkeleton height={HEIGHT + TABLE_PX} />
            <FigureSkeleton height={HEIGHT + TABLE_PX} />
          </div>
        </>
      )}
      {data && (
        <>
          <MarkerFacts gwas={gwas} row={data.row} unit={unit} />
          <div className={figureClasses.figures}>
            {data.row.joint === undefined ? (
              <Effect gwas={gwas} trait={partsOfResult(gwas, trait).trait} unit={unit} marker={data} />
            ) : (
              <JointEffects row={data.row} joint={data.row.joint} />
            )}
            <Neighbours gwas={gwas} trait={trait} marker={data} onMarker={onMarker} />
          </div>
          {gwas.genotype && (
            <>
              <h3>{t('comments.ofMarker')}</h3>
              <CommentThread
                key={markerId}
                projectId={projectId}
                entityKind="file"
                entityId={gwas.genotype.id}
                part={markerId}
              />
            </>
          )}
        </>
      )}
    </section>
  );
}

/** What β is of: a copy of the allele, or what the gene action sets against the rest. */
const effectName = ({ A2, gene_action }: GwasRow, t: TFunction): string =>
  gene_action === undefined || gene_action.action === 'additive'
    ? t('gwas.betaPerCopy', { allele: A2 })
    : t('gwas.action.effect', { action: gene_action.action });

function MarkerFacts({ gwas, row, unit }: { gwas: GwasDetail; row: GwasRow; unit: string | undefined }) {
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const dominanceFacts = () => {
    if (!gwas.dominance || row.gene_action !== undefined) return [];
    const { dom_effect: effect, dom_se: se, dom_p: p } = row;
    if (effect === null || effect === undefined)
      return [{ label: t('gwas.dominanceEffect'), value: t('gwas.dominanceNone'), hint: t('gwas.dominanceNoneHint') }];
    return [
      {
        label: withUnit(t('gwas.dominanceEffectSe'), unit),
        value: `${formatStatistic(effect)} ± ${formatStatistic(se)}`,
        hint: textOf('dominance', 'hint'),
      },
      { label: t('gwas.dominanceP'), value: formatPValue(p) },
    ];
  };
  return (
    <FactsStrip
      facts={[
        { label: t('word.chromosome'), value: row.chr },
        { label: t('word.positionMb'), value: <NumberCell value={row.pos} kind="position" /> },
        { label: t('gwas.alleles'), value: `${row.A1} / ${row.A2}` },
        { label: t('gwas.effectAllele'), value: t('gwas.effectAlleleValue', { allele: row.A2 }) },
        { label: t('gwas.frequencyOf', { allele: row.A2 }), value: formatStatistic(row.freqA2) },
        { label: t('word.individuals'), value: formatCount(row.n) },
        ...(row.beta === null
          ? []
          : [
              {
                label: withUnit(effectName(row, t), unit),
                value: `${formatStatistic(row.beta)} ± ${formatStatistic(row.sd)}`,
              },
            ]),
        ...(row.gene_action !== undefined
          ? actionFacts(row.p, row.gene_action, t)
          : row.joint === undefined
            ? [{ label: t('gwas.pOf', { test: gwas.test }), value: formatPValue(row.p) }]
            : [
                { label: t('gwas.joint.chi2'), value: formatStatistic(row.joint.chi2) },
                { label: t('gwas.joint.df'), value: formatCount(row.joint.df) },
                { label: 'p', value: formatPValue(row.p) },
              ]),
        { label: t('gwas.q'), value: formatPValue(row.q) },
        ...(row.pve === null ? [] : [{ label: t('gwas.pve'), value: formatShare(row.pve), hint: t('gwas.pveHint') }]),
        ...(row.h2 === null || (gwas.test === 'SCORE' && row.gene_action === undefined)
          ? []
          : [
              {
                label: t('gwas.h2With'),
                value: row.at_bound ? t('gwas.h2AtBound', { h2: formatStatistic(row.h2) }) : formatStatistic(row.h2),
                hint: t('gwas.h2Hint'),
              },
            ]),
        ...dominanceFacts(),
      ]}
    />
  );
}

/** The test under a gene action, with variances estimated with the marker and without. */
const actionFacts = (p: number, { df, df2, f, p3d }: NonNullable<GwasRow['gene_action']>, t: TFunction) => [
  { label: t('gwas.action.fOf', { df, df2: formatCount(df2) }), value: formatStatistic(f) },
  { label: t('gwas.action.exactP'), value: formatPValue(p), hint: t('gwas.action.exactHint') },
  { label: t('gwas.action.p3dP'), value: formatPValue(p3d.p), hint: t('gwas.action.p3dHint') },
];

/** Effects of a marker on the traits that it was tested on together. */
function JointEffects({ row, joint }: { row: GwasRow; joint: NonNullable<GwasRow['joint']> }) {
  const { t } = useTranslation();
  const rows = [...joint.effects, ...(joint.main === null ? [] : [{ trait: t('gwas.joint.main'), ...joint.main }])];
  return (
    <div>
      <h3>{t('gwas.joint.effectsTitle')}</h3>
      <p className="hx-muted">{t('gwas.joint.effectsCaption', { allele: row.A2 })}</p>
      <div className={classes.scrollX}>
        <table className={classes.figuresTable} aria-label={t('gwas.joint.effectsTitle')}>
          <thead>
            <tr>
              <th scope="col">{t('word.trait')}</th>
              <th scope="col">{t('gwas.joint.effectHead')}</th>
              <th scope="col">p</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ trait, effect, se, p }) => (
              <tr key={trait}>
                <td>{trait}</td>
                <td>{effect === null ? '–' : `${formatStatistic(effect)} ± ${formatStatistic(se)}`}</td>
                <td>{p === null ? '–' : formatPValue(p)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Phenotypes by genotype class, with the number of individuals and their mean under each. */
function Effect(props: { gwas: GwasDetail; trait: string; unit: string | undefined; marker: GwasMarker }) {
  const { gwas, trait, unit, marker } = props;
  const measured = withUnit(trait, unit);
  const { t } = useTranslation();
  const colors = useChartColors();
  const { row, classes: genotypes } = marker;
  const uncalled = row.n - genotypes.reduce((sum, one) => sum + one.values.length, 0);
  const option = useMemo(
    () =>
      stripOption(
        genotypes.map((one) => ({ name: `${one.genotype}\nn = ${one.values.length}`, values: one.values })),
        { x: t('gwas.genotypeOf', { marker: row.id }), y: measured, format: formatStatistic },
        colors,
      ),
    [genotypes, row.id, measured, colors, t],
  );
  return (
    <div>
      <Figure
        title={t('gwas.effectTitle', { trait })}
        caption={t('gwas.effectCaption')}
        label={t('gwas.effectLabel', { trait, marker: row.id })}
        option={option}
        height={HEIGHT}
        fileName={`${gwas.name} ${trait} ${row.id} effect`}
        table={{
          head: [t('files.type.GENOTYPE'), measured],
          rows: genotypes.flatMap((one) => one.values.map((value): [string, number] => [one.genotype, value])),
          format: formatStatistic,
        }}
      />
      <div className={classes.scrollX}>
        <table className={classes.figuresTable} aria-label={t('gwas.effectTitle', { trait })}>
          <thead>
            <tr>
              <th scope="col">{t('files.type.GENOTYPE')}</th>
              <th scope="col">{t('gwas.copiesOf', { allele: row.A2 })}</th>
              <th scope="col">n</th>
              <th scope="col">{t('gwas.meanSd', { trait: measured })}</th>
            </tr>
          </thead>
          <tbody>
            {genotypes.map((one) => (
              <tr key={one.dosage}>
                <td>{one.genotype}</td>
                <td>{one.dosage}</td>
                <td>{formatCount(one.values.length)}</td>
                <td>{formatMeanSd(meanAndSd(one.values))}</td>
              </tr>
            ))}
            {uncalled > 0 && (
              <tr>
                <td colSpan={2}>{t(row.gene_action === undefined ? 'gwas.noCall' : 'gwas.action.noCall')}</td>
                <td>{formatCount(uncalled)}</td>
                <td />
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The neighbours by position and p, coloured by r² with the marker; a click goes to one of them. */
function Neighbours(props: { gwas: GwasDetail; trait: string; marker: GwasMarker; onMarker: (id: string) => void }) {
  const { gwas, trait, marker, onMarker } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { row, neighbours } = marker;
  const option = useMemo(
    () =>
      neighboursOption(
        marker,
        { x: t('gwas.positionMb', { chr: row.chr }), y: '−log₁₀ p', thisMarker: row.id },
        colors,
      ),
    [marker, row, colors, t],
  );
  const others = neighbours.filter((one) => one.id !== row.id);
  const linked = [...others].sort((a, b) => b.r2 - a.r2).slice(0, LINKED_SHOWN);
  return (
    <div>
      <Figure
        title={t('gwas.ldTitle')}
        caption={t('gwas.ldCaption', { marker: row.id })}
        label={t('gwas.ldLabel', { marker: row.id, count: others.length })}
        option={option}
        height={HEIGHT}
        onPoint={([pos, negLog10P]) => {
          const clicked = neighbours.find((one) => one.pos === pos && one.neg_log10_p === negLog10P);
          if (clicked && clicked.id !== row.id) onMarker(clicked.id);
        }}
        fileName={`${gwas.name} ${trait} ${row.id} LD`}
        table={{
          head: [t('word.marker'), t('marker.pos'), 'p', 'r²'],
          rows: neighbours.map((one) => [one.id, one.pos, one.p, one.r2]),
          format: formatStatistic,
        }}
      />
      {linked.length === 0 ? (
        <p className="hx-muted">{t('gwas.noNeighbours')}</p>
      ) : (
        <div className={classes.scrollX}>
          <table className={classes.figuresTable} aria-label={t('gwas.ldTitle')}>
            <thead>
              <tr>
                <th scope="col">{t('gwas.closestByLd')}</th>
                <th scope="col">{t('word.distance')}</th>
                <th scope="col">r²</th>
                <th scope="col">p</th>
              </tr>
            </thead>
            <tbody>
              {linked.map((one) => (
                <tr key={one.id}>
                  <td>
                    <button type="button" className={classes.markerLink} onClick={() => onMarker(one.id)}>
                      {one.id}
                    </button>
                  </td>
                  <td>{formatDistance(one.pos - row.pos)}</td>
                  <td>{one.r2.toFixed(2)}</td>
                  <td>{formatPValue(one.p)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

const LINKED_SHOWN = 4;

/** From the marker, to the right or the left of it. */
function formatDistance(distanceBp: number): string {
  const sign = distanceBp < 0 ? '−' : '+';
  const size = Math.abs(distanceBp);
  if (size === 0) return '0 bp';
  return size < 1000 ? `${sign}${formatCount(size)} bp` : `${sign}${formatCount(size / 1000)} kb`;
}
