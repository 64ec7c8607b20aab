import type { ChartColors } from '@heterosis/charts/chart-colors';
import type { ChartOption } from '@heterosis/charts/chart-option';
import { PICTURE_HEAD_PX, pictureOption } from '@heterosis/charts/picture-option';
import { ringSeries } from '@heterosis/charts/rings';
import { Menu, Skeleton } from '@mantine/core';
import type { ECharts } from 'echarts/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadBlob, downloadText } from '../../lib/browser/download.ts';
import { toCsv } from '../../lib/format/csv.ts';
import { formatCount } from '../../lib/format/format.ts';
import { IconButton } from '../form/icon-button.tsx';
import { IconChartDots, IconDownload, IconTable } from '../icons.tsx';
import { ErrorNotice } from '../page/error-notice.tsx';
import { ExplainedLabel } from '../page/explained.tsx';
import { Chart, type ChartProps } from './chart.tsx';
import classes from './figure.module.css';
import { useChartColors } from './use-chart-colors.ts';

export interface FigureTable {
  head: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
  /** How a number is shown in the table; the CSV keeps every digit. */
  format?: (value: number) => string;
  /** Rows that the CSV has, where these are only the first of them. */
  total?: number | undefined;
}

/** A function where the rows are many: it is called when somebody wants them. */
type TableSource = FigureTable | (() => FigureTable);

const tableOf = (table: TableSource): FigureTable => (typeof table === 'function' ? table() : table);

/** The rows beside the plot: at hand, or asked of the server when somebody wants them (a stable function). */
type WithTable =
  | { table: TableSource; loadTable?: undefined }
  | { table?: undefined; loadTable: () => Promise<FigureTable> };

const SHOWN_ROWS = 200;
const PNG_PIXEL_RATIO = 2;
const PICTURE_WIDTH_PX = 900;
/** A chart with its title, the table beside it, and downloads as SVG, PNG and CSV. */
export function Figure({
  title,
  caption,
  meaning,
  table,
  loadTable,
  fileName,
  pictureNote,
  action,
  tools,
  saveCsv,
  ...chart
}: ChartProps &
  WithTable & {
    title: string;
    caption?: ReactNode;
    /** Plain words on how the figure is read, behind "What does this mean?" after the caption. */
    meaning?: string | undefined;
    /** Saves the CSV in place of the table: where the file holds more than is drawn. */
    saveCsv?: () => void;
    /** Without ending. */
    fileName: string;
    /** Below the title of a saved picture, which is looked at without the page: n, λ, the run. */
    pictureNote?: string | undefined;
    action?: ReactNode;
    /** What changes the view of the chart: a line above it. */
    tools?: ReactNode;
  }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const [asTable, setAsTable] = useState(false);
  const made = useRef<ECharts>(undefined);
  const id = useId();

  const savePicture = async (type: 'svg' | 'png'): Promise<void> => {
    const { init } = await import('@heterosis/charts/echarts');
    // Beside its table the chart is gone.
    const width = made.current?.isDisposed() === false ? made.current.getWidth() : PICTURE_WIDTH_PX;
    const size = { width, height: chart.height + PICTURE_HEAD_PX };
    const option = pictureOption(withRings(chart, colors), { title, note: pictureNote }, colors);
    if (type === 'svg') {
      const copy = init(null, undefined, { renderer: 'svg', ssr: true, ...size });
      copy.setOption(option);
      downloadText(`${fileName}.svg`, copy.renderToSVGString(), 'image/svg+xml');
      copy.dispose();
      return;
    }
    const copy = init(document.createElement('div'), undefined, {
      renderer: 'canvas',
      devicePixelRatio: PNG_PIXEL_RATIO,
      ...size,
    });
    // Many points are drawn frame by frame.
    const drawn = new Promise<void>((resolve) => copy.on('finished', () => resolve()));
    copy.setOption(option);
    await drawn;
    downloadBlob(`${fileName}.png`, await toPng(copy.renderToCanvas({ pixelRatio: PNG_PIXEL_RATIO })));
    copy.dispose();
  };

  const saveTable = async (): Promise<void> => {
    const { head, rows } = loadTable ? await loadTable() : tableOf(table);
    downloadText(`${fileName}.csv`, toCsv(head, rows));
  };

  return (
    <figure
      className={classes.figure}
      aria-labelledby={id}
      {...(chart.widerBy === undefined
        ? {}
        : { 'data-square': true, style: { maxWidth: chart.height + chart.widerBy } })}
    >
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        <div className={classes.actions}>
          {action}
          <IconButton
            label={asTable ? t('figure.showChart') : t('figure.showTable')}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <IconChartDots size={16} /> : <IconTable size={16} />}
          </IconButton>
          <Menu>
            <Menu.Target>
              <IconButton label={t('figure.download')}>
                <IconDownload size={16} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void savePicture('svg')}>SVG</Menu.Item>
              <Menu.Item onClick={() => void savePicture('png')}>PNG</Menu.Item>
              <Menu.Item onClick={saveCsv ?? (() => void saveTable())}>CSV</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      {(caption || meaning) && (
        <p className={classes.caption}>
          {caption} {meaning && <ExplainedLabel hint={meaning}>{t('figure.meaning')}</ExplainedLabel>}
        </p>
      )}
      {tools && !asTable && <div className={classes.tools}>{tools}</div>}
      {asTable ? (
        <div style={{ minHeight: chart.height }}>
          {loadTable ? (
            <LoadedTable load={loadTable} title={title} height={chart.height} />
          ) : (
            <TableView table={tableOf(table)} title={title} height={chart.height} />
          )}
        </div>
      ) : (
        <Chart
          {...chart}
          onReady={(one) => {
            made.current = one;
            chart.onReady?.(one);
          }}
        />
      )}
    </figure>
  );
}

/** On the page rings lie over the plot; a picture has them in it. */
function withRings({ option, rings = [] }: ChartProps, colors: ChartColors): ChartOption {
  const { series, xAxis } = option as { series?: unknown[]; xAxis?: { min?: number; max?: number } };
  if (rings.length === 0 || !Array.isArray(series)) return option;
  const middle = ((xAxis?.min ?? 0) + (xAxis?.max ?? 0)) / 2;
  return { ...option, series: [...series, ringSeries(rings, middle, colors)] };
}

function LoadedTable({ load, title, height }: { load: () => Promise<FigureTable>; title: string; height: number }) {
  const [state, setState] = useState<{ table?: FigureTable; error?: unknown }>({});
  useEffect(() => {
    let isGone = false;
    load().then(
      (table) => isGone || setState({ table }),
      (error: unknown) => isGone || setState({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  if (state.error !== undefined) return <ErrorNotice error={state.error} />;
  return state.table ? (
    <TableView table={state.table} title={title} height={height} />
  ) : (
    <Skeleton height={height} radius="sm" />
  );
}

/** Whole numbers are counts and positions, which are read to the last digit. */
const inTable = (value: number, format: (value: number) => string): string =>
  Number.isInteger(value) ? formatCount(value) : format(value);

function TableView({ table, title, height }: { table: FigureTable; title: string; height: number }) {
  const { t } = useTranslation();
  const format = table.format ?? String;
  const total = table.total ?? table.rows.length;
  return (
    // A scrolling region has to be reachable by keyboard.
    <section className={classes.tableScroll} style={{ maxHeight: height }} aria-label={title} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {table.head.map((name, column) => (
              <th key={name} scope="col" data-number={typeof table.rows[0]?.[column] === 'number' || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, SHOWN_ROWS).map((row) => (
            <tr key={row.join('\t')}>
              {row.map((cell, column) => (
                <td key={table.head[column]} data-number={typeof cell === 'number' || undefined}>
                  {cell === null ? '–' : typeof cell === 'number' ? inTable(cell, format) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {total > Math.min(SHOWN_ROWS, table.rows.length) && (
        <p className={classes.more}>
          {t('figure.firstRows', {
            shown: formatCount(Math.min(SHOWN_ROWS, table.rows.length)),
            total: formatCount(total),
          })}
        </p>
      )}
    </section>
  );
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made')))),
  );
}
