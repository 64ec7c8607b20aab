import { describeCell, heatmapOption, heatmapWiderBy, square } from '@heterosis/charts/heatmap';
import { scatterOption } from '@heterosis/charts/scatter';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import classes from '../../../../components/page/figures.module.css';
import { SelectionBar } from '../../../../components/table/selection-bar.tsx';
import { formatCount, formatShare, formatStatistic } from '../../../../lib/format/format.ts';
import { KeepAsList } from '../../lists/index.ts';
import type { OfSamples } from './sample-figures.tsx';

const LARGE = 440;
const NAMES_UP_TO = 40;
/** The diagonal is far larger than the rest: as large a share of the values at either end has the colour of the end. */
const CUT_SHARE = 0.01;

export function StructureFigures({ file, qc, selection }: OfSamples) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { pca, kinship } = qc;
  const markersUsed =
    pca?.markers === undefined
      ? []
      : [
          t(pca.is_approximate === true ? 'files.qc.someMarkers' : 'files.qc.allMarkers', {
            used: formatCount(pca.markers),
            of: formatCount(pca.of_markers),
          }),
        ];
  const pcaOption = useMemo(
    () =>
      pca &&
      scatterOption(
        pca.points.map((point) => ({ x: point.pc[0] ?? 0, y: point.pc[1] ?? 0, name: point.name })),
        {
          x: `PC 1 (${formatShare(pca.shares[0])})`,
          y: `PC 2 (${formatShare(pca.shares[1])})`,
          format: formatStatistic,
          selected: selection.ids,
        },
        colors,
      ),
    [pca, colors, selection.ids],
  );
  const kinshipMap = useMemo(() => (kinship ? square(kinship.names, kinship.values) : undefined), [kinship]);
  const describeKinship = useCallback(
    (column: number, row: number) => kinshipMap && describeCell(kinshipMap, column, row, formatStatistic),
    [kinshipMap],
  );
  const ends = useMemo(() => {
    const sorted = [...(kinship?.values ?? [])].sort((a, b) => a - b);
    const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { min: quantile(CUT_SHARE), max: quantile(1 - CUT_SHARE) };
  }, [kinship]);
  const kinshipOption = useMemo(() => {
    if (!kinship || !kinshipMap) return undefined;
    return heatmapOption(
      kinshipMap,
      {
        ...ends,
        format: formatStatistic,
        showNames: kinship.names.length <= NAMES_UP_TO,
        selected: selection.ids,
      },
      colors,
    );
  }, [kinship, kinshipMap, ends, colors, selection.ids]);
  return (
    <>
      <SelectionBar selection={selection} noun="individual" fileName={file.name}>
        <KeepAsList projectId={file.project_id} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      <div className={classes.figures}>
        {pca && pcaOption && (
          <Figure
            title={t('files.qc.pca')}
            caption={[t('files.qc.pcaCaption'), ...markersUsed].join(' ')}
            label={t('files.qc.pca')}
            option={pcaOption}
            height={LARGE}
            onBrush={(from, to) =>
              selection.select(
                pca.points.flatMap(({ name, pc: [first = Number.NaN] }) =>
                  first >= from && first <= to ? [name] : [],
                ),
              )
            }
            fileName={`${file.name} PCA`}
            table={{
              head: [t('word.individual'), ...pca.shares.map((_, index) => `PC ${index + 1}`)],
              rows: pca.points.map((point) => [point.name, ...point.pc]),
              format: formatStatistic,
            }}
          />
        )}
        {!pca && <p className="hx-muted">{t('files.qc.noPca')}</p>}
        {kinship && kinshipOption ? (
          <Figure
            title={t('word.kinship')}
            caption={[
              t('files.qc.kinshipCaption'),
              ...markersUsed,
              t('files.qc.kinshipColors', { from: formatStatistic(ends.min), to: formatStatistic(ends.max) }),
            ].join(' ')}
            label={t('word.kinship')}
            option={kinshipOption}
            height={LARGE}
            widerBy={heatmapWiderBy(kinship.names.length <= NAMES_UP_TO)}
            describeAt={describeKinship}
            onBrush={(from, to) =>
              selection.select(kinship.names.filter((_, index) => index >= Math.round(from) && index <= Math.round(to)))
            }
            renderer="canvas"
            fileName={`${file.name} kinship`}
            table={{
              head: [t('word.individual'), ...kinship.names],
              rows: kinship.names.map((name, row) => [
                name,
                ...kinship.values.slice(row * kinship.names.length, (row + 1) * kinship.names.length),
              ]),
              format: formatStatistic,
            }}
          />
        ) : (
          <p className="hx-muted">{t('files.qc.tooManyForKinship')}</p>
        )}
      </div>
    </>
  );
}
