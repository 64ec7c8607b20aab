import { heatmapOption, heatmapWiderBy, square } from '@heterosis/charts/heatmap';
import { countsIn, histogramOption, histogramRows } from '@heterosis/charts/histogram';
import type { FileDetail, PhenotypeRows } from '@heterosis/contracts/data/files';
import type { PhenotypeQcBody, TraitSummaryBody } from '@heterosis/contracts/data/files-qc';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../../components/charts/figure-skeleton.tsx';
import { LinkedScatter, namesBetween } from '../../../../components/charts/linked-scatter.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import classes from '../../../../components/page/figures.module.css';
import { Section } from '../../../../components/page/section.tsx';
import { TabStrip } from '../../../../components/page/tab-strip.tsx';
import { useTabInAddress } from '../../../../components/page/use-tab-in-address.ts';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { SelectionBar } from '../../../../components/table/selection-bar.tsx';
import { useEndlessTable } from '../../../../components/table/use-endless-table.ts';
import { type PageSelection, useSelection } from '../../../../components/table/use-selection.ts';
import { formatCount, formatDecimals, formatStatistic, sharedDecimals } from '../../../../lib/format/format.ts';
import { KeepAsList } from '../../lists/index.ts';
import { allPhenotypeRowsQuery, phenotypeRowsQuery } from '../files.api.ts';
import { AdjustedMeansView } from './adjusted-means-view.tsx';
import { SparkHistogram } from './spark-histogram.tsx';
import { useUnitOf, withUnit } from './use-unit-of.ts';

export function PhenotypeQcView({ projectId, file, qc }: { projectId: string; file: FileDetail; qc: PhenotypeQcBody }) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  const selection = useSelection();
  const linked = { projectId, file, qc, selection };
  return (
    <>
      <FactsStrip
        facts={[
          { label: t('word.individuals'), value: formatCount(qc.individuals) },
          { label: t('word.traits'), value: formatCount(qc.traits.length) },
        ]}
      />
      <TabStrip
        {...tab}
        label={t('files.qc.title')}
        tabs={[
          { id: 'traits', label: t('word.traits'), content: <TraitTable {...linked} /> },
          ...(qc.means
            ? [
                {
                  id: 'means',
                  label: t('files.means.title'),
                  content: <AdjustedMeansView projectId={projectId} file={file} means={qc.means} />,
                },
              ]
            : []),
          {
            id: 'correlations',
            label: t('files.phenotype.correlations'),
            content: <Correlations {...linked} />,
          },
          {
            id: 'table',
            label: t('files.phenotype.table'),
            content: <PhenotypeTable {...linked} />,
          },
          ...(qc.environments
            ? [
                {
                  id: 'environments',
                  label: t('files.phenotype.environments'),
                  content: <Environments file={file} qc={qc} environments={qc.environments} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

interface Linked {
  projectId: string;
  file: FileDetail;
  qc: PhenotypeQcBody;
  selection: PageSelection;
}

/** With more individuals the plots do not show the selection: a browser would read megabytes for it. */
const LINKED_UP_TO = 20_000;

/** The values of every individual by trait, as far as the plots need them; undefined until they are there. */
function useValues({ projectId, file, qc }: Linked) {
  const { data: rows } = useQuery({
    ...allPhenotypeRowsQuery(projectId, file.id),
    enabled: qc.individuals <= LINKED_UP_TO,
  });
  return useMemo(
    () =>
      rows && {
        names: rows.rows.map((row) => row.individual),
        /** Means of repeated observations are not what the histogram of all observations counts. */
        areMeans: rows.rows[0]?.observations !== undefined,
        of: (trait: string) => {
          const place = rows.traits.indexOf(trait);
          return rows.rows.map((row) => row.values[place]);
        },
      },
    [rows],
  );
}

function TraitTable(props: Linked) {
  const { projectId, file, qc } = props;
  const { t } = useTranslation();
  const unitOf = useUnitOf(projectId, file);
  const [chosen, setChosen] = useState(qc.traits.find((one) => one.histogram)?.name);
  const number = (id: 'mean' | 'sd' | 'min' | 'max', header: string): DataColumn<TraitSummaryBody> => ({
    id,
    header,
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} />,
    numeric: true,
    width: 90,
  });
  const cullis = new Map(qc.means?.map(({ trait, h2_cullis }) => [trait, h2_cullis]));
  const h2Of = ({ name, h2 }: TraitSummaryBody): number | null => cullis.get(name) ?? h2;
  const columns: DataColumn<TraitSummaryBody>[] = [
    { id: 'name', header: t('word.trait'), value: (row) => row.name },
    { id: 'unit', header: t('word.unit'), value: (row) => unitOf(row.name), width: 90 },
    {
      id: 'n',
      header: 'n',
      value: (row) => row.n,
      cell: (row) => <NumberCell value={row.n} kind="count" />,
      numeric: true,
      width: 80,
      narrow: true,
    },
    number('mean', t('word.mean')),
    number('sd', 'SD'),
    number('min', t('files.phenotype.min')),
    number('max', t('files.phenotype.max')),
    {
      id: 'h2',
      header: t('files.means.h2'),
      hint: t('files.means.h2Hint'),
      value: h2Of,
      cell: (row) => <NumberCell value={h2Of(row)} />,
      numeric: true,
      width: 130,
      hidden: qc.shape === 'wide',
    },
    {
      id: 'outliers',
      header: t('files.phenotype.outliers'),
      value: (row) => row.outliers.length,
      numeric: true,
      width: 100,
    },
    {
      id: 'histogram',
      header: t('files.phenotype.distribution'),
      value: (row) => (row.kind === 'categorical' ? t('files.phenotype.categorical') : null),
      cell: (row) =>
        row.histogram ? (
          <SparkHistogram counts={row.histogram.counts} label={row.name} />
        ) : (
          t('files.phenotype.categorical')
        ),
      width: 130,
      sortable: false,
    },
  ];
  const trait = qc.traits.find((one) => one.name === chosen);
  return (
    <>
      <DataTable
        id="traits"
        label={t('word.traits')}
        columns={columns}
        rows={qc.traits}
        rowId={(row) => row.name}
        onOpen={(row) => setChosen(row.name)}
        isMarked={(row) => row.name === chosen}
        hasSearch={qc.traits.length > 8}
        csvName={`${file.name} traits`}
        maxHeight="22rem"
      />
      {trait?.histogram && <TraitFigure {...props} trait={trait} />}
    </>
  );
}

function TraitFigure(props: Linked & { trait: TraitSummaryBody }) {
  const { projectId, file, selection, trait } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const histogram = trait.histogram ?? { min: 0, max: 1, counts: [] };
  const name = withUnit(trait.name, useUnitOf(projectId, file)(trait.name));
  const all = useValues(props);
  const option = useMemo(() => {
    const selected =
      all && !all.areMeans
        ? all.of(trait.name).flatMap((value, i) => (selection.ids.has(all.names[i] ?? '') ? (value ?? []) : []))
        : [];
    return histogramOption(
      histogram,
      { x: name, y: t('word.individuals'), format: formatStatistic },
      colors,
      countsIn(histogram, histogram.counts.length, selected),
    );
  }, [histogram, name, trait.name, all, selection.ids, colors, t]);
  return (
    <>
      <SelectionBar selection={selection} noun="individual" fileName={file.name}>
        <KeepAsList projectId={file.project_id} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      <div className={classes.figures}>
        <Figure
          title={name}
          label={t('files.phenotype.histogramOf', { trait: trait.name })}
          option={option}
          height={260}
          {...(all
            ? {
                onBrush: (from: number, to: number) =>
                  selection.select(namesBetween(all.names, all.of(trait.name), from, to)),
              }
            : {})}
          pictureNote={`${file.name} · n = ${formatCount(trait.n)}`}
          fileName={`${file.name} ${trait.name}`}
          table={{ head: ['≥', '<', t('word.individuals')], rows: histogramRows(histogram), format: formatStatistic }}
        />
        {trait.outliers.length > 0 && (
          <Section title={t('files.phenotype.outliers')} note={t('files.phenotype.outliersNote')}>
            <DataTable
              id="outliers"
              label={t('files.phenotype.outliers')}
              hasSearch={false}
              isMarked={(row) => selection.ids.has(row.individual)}
              rows={trait.outliers}
              rowId={(row) => `${row.individual} ${row.line}`}
              columns={[
                { id: 'individual', header: t('word.individual'), value: (row) => row.individual },
                {
                  id: 'value',
                  header: name,
                  value: (row) => row.value,
                  cell: (row) => <NumberCell value={row.value} />,
                  numeric: true,
                  narrow: true,
                },
                { id: 'line', header: t('files.report.line'), value: (row) => row.line, numeric: true },
              ]}
            />
          </Section>
        )}
      </div>
    </>
  );
}

/** Cells are squares: names stand left of and below them, the scale on the right. */
const CELL_PX = 64;
const LARGEST_MATRIX_PX = 640;
const MATRIX_FRAME_PX = 100;
const VALUES_UP_TO = 10;
const NAMES_UP_TO = 40;
/** A matrix of more traits takes the width of the page, and the plot of two is below it. */
const BESIDE_UP_TO = 8;

function Correlations(props: Linked) {
  const { file, qc, selection } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { names, values } = qc.correlations;
  const option = useMemo(
    () =>
      heatmapOption(
        square(names, values),
        {
          min: -1,
          max: 1,
          format: (r) => formatDecimals(r, 2),
          showNames: names.length <= NAMES_UP_TO,
          showValues: names.length <= VALUES_UP_TO,
          isDiverging: true,
        },
        colors,
      ),
    [names, values, colors],
  );
  if (names.length < 2) return <p className="hx-muted">{t('files.phenotype.oneTrait')}</p>;
  const side = Math.min(LARGEST_MATRIX_PX, names.length * CELL_PX);
  return (
    <>
      <SelectionBar selection={selection} noun="individual" fileName={file.name}>
        <KeepAsList projectId={file.project_id} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      <div className={names.length <= BESIDE_UP_TO ? classes.figures : classes.stacked}>
        <Figure
          title={t('files.phenotype.correlations')}
          caption={t('files.phenotype.correlationsCaption')}
          label={t('files.phenotype.correlations')}
          option={option}
          height={side + MATRIX_FRAME_PX}
          widerBy={heatmapWiderBy(names.length <= NAMES_UP_TO)}
          fileName={`${file.name} correlations`}
          table={{
            head: [t('word.trait'), ...names],
            rows: names.map((name, row) => [name, ...values.slice(row * names.length, (row + 1) * names.length)]),
            format: (r) => formatDecimals(r, 2),
          }}
        />
        <TraitsTogether {...props} traits={names} />
      </div>
    </>
  );
}

const SCATTER_PX = 340;

/** Two traits of the same individuals against each other. */
function TraitsTogether(props: Linked & { traits: readonly string[] }) {
  const { file, qc, selection, traits } = props;
  const { t } = useTranslation();
  const [[first = '', second = ''], setPair] = useState([traits[0], traits[1]]);
  const all = useValues(props);
  const unitOf = useUnitOf(props.projectId, file);
  if (!all) return qc.individuals <= LINKED_UP_TO ? <FigureSkeleton height={SCATTER_PX} hasTools /> : null;
  const side = (trait: string) => ({ label: withUnit(trait, unitOf(trait)), values: all.of(trait) });
  const r = qc.correlations.values[traits.indexOf(first) * traits.length + traits.indexOf(second)];
  const select = (label: string, value: string, choose: (trait: string) => void) => (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[...traits]}
    />
  );
  return (
    <LinkedScatter
      title={t('word.against', { x: first, y: second })}
      caption={t('files.phenotype.againstCaption', { r: r == null ? '–' : formatDecimals(r, 2) })}
      names={all.names}
      x={side(first)}
      y={side(second)}
      height={SCATTER_PX}
      selection={selection}
      fileName={`${file.name} ${first} ${second}`}
      pictureNote={file.name}
      tools={
        <>
          {select(t('files.phenotype.horizontal'), first, (trait) => setPair([trait, second]))}
          {select(t('files.phenotype.vertical'), second, (trait) => setPair([first, trait]))}
        </>
      }
    />
  );
}

type Row = PhenotypeRows['data'][number];

function PhenotypeTable({ projectId, file, selection }: Linked) {
  const { t } = useTranslation();
  const { table, first } = useEndlessTable({
    query: (request) => phenotypeRowsQuery(projectId, file.id, { search: request.search, sort: request.sortText }),
  });
  const unitOf = useUnitOf(projectId, file);
  const columns = useMemo((): DataColumn<Row>[] => {
    const isMean = first?.data[0]?.observations !== undefined;
    return [
      { id: 'individual', header: t('word.individual'), value: (row) => row.individual },
      ...(first?.traits ?? []).flatMap((trait, index): DataColumn<Row>[] => {
        const decimals = sharedDecimals(first?.data.map((row) => row.values[index]) ?? []);
        const unit = unitOf(trait);
        const values: DataColumn<Row> = {
          id: trait,
          header: trait,
          ...(unit ? { unit } : {}),
          value: (row) => row.values[index],
          cell: (row) => <NumberCell value={row.values[index]} decimals={decimals} />,
          numeric: true,
          narrow: index === 0,
        };
        if (!isMean) return [values];
        const count: DataColumn<Row> = {
          id: `n ${trait}`,
          header: 'n',
          hint: t('files.phenotype.observationsOf', { trait }),
          value: (row) => row.observations?.[index],
          cell: (row) => <NumberCell value={row.observations?.[index]} kind="count" />,
          numeric: true,
          width: 60,
          sortable: false,
        };
        return [values, count];
      }),
    ];
  }, [first, unitOf, t]);
  return (
    <>
      {first?.data[0]?.observations && <p className="hx-muted">{t('files.phenotype.meansNote')}</p>}
      <SelectionBar selection={selection} noun="individual" fileName={file.name}>
        <KeepAsList projectId={file.project_id} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      <DataTable
        id={`phenotype-${file.id}`}
        selection={selection}
        label={t('files.phenotype.table')}
        columns={columns}
        {...table}
        rowId={(row) => row.individual}
        total={first?.total}
        csvName={`${file.name} table`}
      />
    </>
  );
}

type Environment = NonNullable<PhenotypeQcBody['environments']>[number];

/** How many values of each trait come from which environment. */
function Environments(props: { file: FileDetail; qc: PhenotypeQcBody; environments: Environment[] }) {
  const { file, qc, environments } = props;
  const { t } = useTranslation();
  const columns: DataColumn<Environment>[] = [
    { id: 'name', header: t('files.mapping.role.environment'), value: (row) => row.name },
    ...qc.traits.map(
      (trait, index): DataColumn<Environment> => ({
        id: trait.name,
        header: trait.name,
        hint: t('files.phenotype.observationsOf', { trait: trait.name }),
        value: (row) => row.observations[index],
        cell: (row) => `${formatCount(row.observations[index])} (${formatCount(row.individuals[index])})`,
        numeric: true,
        narrow: index === 0,
      }),
    ),
  ];
  return (
    <>
      <p className="hx-muted">{t('files.phenotype.environmentsNote')}</p>
      <DataTable
        id="environments"
        label={t('files.phenotype.environments')}
        columns={columns}
        rows={environments}
        rowId={(row) => row.name}
        csvName={`${file.name} environments`}
      />
    </>
  );
}
