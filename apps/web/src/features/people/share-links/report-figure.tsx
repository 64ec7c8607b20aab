import type { ChartOption } from '@heterosis/charts/chart-option';
import { fieldGrid, groupEdges } from '@heterosis/charts/field/field-grid';
import { type ReportFigure as Drawn, layerOf, type MapsFigure, optionOf } from '@heterosis/charts/report-charts';
import type { SharedThing } from '@heterosis/contracts/people/share-links';
import { useId, useMemo } from 'react';
import { Chart } from '../../../components/charts/chart.tsx';
import { FieldCanvas } from '../../../components/charts/field/field-canvas.tsx';
import { FieldLegend } from '../../../components/charts/field/field-legend.tsx';
import { createFieldStore } from '../../../components/charts/field/field-store.ts';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import classes from './report-parts.module.css';

type Part = Extract<SharedThing['parts'][number], { what: 'figure' }>;

const HEIGHT_PX = { whole: 340, twoThirds: 340, half: 300, third: 280 };
/** Canvas for many points, as on the pages of the kinds. */
const IN_CANVAS: readonly Drawn['chart'][] = ['manhattan', 'heatmap', 'factorial'];

/** A figure of a report, drawn from the same numbers in the colours of the scheme. */
export function ReportFigure({ part: { title, caption, width, figure } }: { part: Part }) {
  const id = useId();
  const colors = useChartColors();
  const drawn = useMemo(() => withPoints(figure), [figure]);
  const option = useMemo(() => (drawn.chart === 'field' ? undefined : still(optionOf(drawn, colors))), [drawn, colors]);
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {caption && <figcaption className={classes.caption}>{caption}</figcaption>}
      {drawn.chart === 'field' ? (
        <Maps given={drawn.given} />
      ) : (
        option && (
          <Chart
            option={option}
            label={title}
            height={HEIGHT_PX[width]}
            renderer={IN_CANVAS.includes(drawn.chart) ? 'canvas' : 'svg'}
          />
        )
      )}
    </figure>
  );
}

/** As the chart takes them: JSON has no arrays of single precision. */
function withPoints({ chart, given }: Part['figure']): Drawn {
  const points = chart === 'manhattan' ? { points: Float32Array.from(given['points'] as number[]) } : {};
  return { chart, given: { ...given, ...points } } as Drawn;
}

/** What is pointed at has no names here but those that are drawn, and the page scrolls over figures. */
const still = (option: ChartOption): ChartOption => ({ ...option, tooltip: { show: false }, dataZoom: [] });

function Maps({ given }: { given: MapsFigure['given'] }) {
  const colors = useChartColors();
  const store = useMemo(createFieldStore, []);
  const grid = useMemo(
    () => fieldGrid({ row: [...given.row], column: [...given.column], plotShape: given.plotShape }),
    [given],
  );
  const layers = useMemo(() => given.layers.map((layer, k) => layerOf(layer, String(k))), [given]);
  const shared = useMemo(() => {
    const { groups, labels, marked = [], crossed = [] } = given;
    const edges = groups ? groupEdges(grid, (plot) => groups[plot]) : [];
    return { edges, marked, crossed, veil: undefined, labelOf: labels && ((plot: number) => labels[plot] ?? '') };
  }, [given, grid]);
  return (
    <div className={classes.maps}>
      {layers.map((layer) => (
        <div key={layer.id} role="img" aria-label={layer.title}>
          <h3 className={classes.layer}>{layer.title}</h3>
          <FieldCanvas layer={layer} grid={grid} colors={colors} store={store} shared={shared} />
          <FieldLegend layer={layer} colors={colors} />
        </div>
      ))}
    </div>
  );
}
