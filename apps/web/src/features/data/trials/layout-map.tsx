import type { ChartColors } from '@heterosis/charts/chart-colors';
import { amountRange, type FieldLayer } from '@heterosis/charts/field/field-layers';
import { KIND_COLORS } from '@heterosis/charts/field/kind-colors';
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldMaps } from '../../../components/charts/field/field-maps.tsx';
import { formatStatistic } from '../../../lib/format/format.ts';
import type { PlotRows } from './plot-rows.ts';

type DesignLayer = 'kind' | 'replicate' | 'block' | 'treatment';

/** Values of a trait, in the order of the plots. */
export interface TraitLayer {
  trait: string;
  /** With its unit. */
  title: string;
  values: readonly (number | string | null)[];
}

/** The map of one trial, coloured by what the design says of the plots or by what was measured. */
export function LayoutMap(props: {
  title: string;
  plots: PlotRows;
  traits?: readonly TraitLayer[];
  /** Plots with a ring and with a cross, by the trait that is shown; absent: one of the design is. */
  marksOf?: ((trait: string | undefined) => { marked: readonly number[]; crossed: readonly number[] }) | undefined;
  /** What else is said of a plot. */
  notesOf?: ((plot: number) => readonly (readonly [label: string, text: string])[]) | undefined;
  plotShape?: number | undefined;
  selected: ReadonlySet<number>;
  onSelect: (plots: ReadonlySet<number>) => void;
  /** Places of the plots among all; absent where nothing may be moved. */
  onSwap?: ((one: number, other: number) => void) | undefined;
  /** The layout is being made: swapping begins without being chosen. */
  isForSwaps?: boolean;
  tools?: ReactNode;
  fileName: string;
  tableId: string;
}) {
  const { title, plots, traits = [], onSelect, onSwap, selected, plotShape } = props;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<string>('kind');
  // The maps number the plots that have a place.
  const placed = useMemo(
    () => plots.row.flatMap((row, plot) => (row !== null && plots.column[plot] != null ? [plot] : [])),
    [plots],
  );
  const places = useMemo(
    () => ({
      row: placed.map((plot) => plots.row[plot] ?? 0),
      column: placed.map((plot) => plots.column[plot] ?? 0),
      plotShape,
    }),
    [placed, plots, plotShape],
  );
  const designLayers = useMemo(() => layersOfDesign(plots), [plots]);
  const choices = [
    ...designLayers.map((value) => ({ value: value as string, label: t(`trials.layer.${value}`) })),
    ...traits.map(({ trait, title: label }) => ({ value: `trait ${trait}`, label })),
  ];
  const shown = choices.some(({ value }) => value === wanted) ? wanted : 'kind';
  const layers = useMemo((): FieldLayer[] => {
    const trait = traits.find((one) => shown === `trait ${one.trait}`);
    if (trait) return [traitLayer(trait, placed)];
    const id = shown as DesignLayer;
    // Translated once, not for each of thousands of plots.
    const kinds = new Map(
      (['ENTRY', 'CHECK', 'FILLER', 'BORDER'] as const).map((kind) => [t(`trials.kind.${kind}`), kind]),
    );
    const labelOfKind = new Map([...kinds].map(([label, kind]) => [kind, label]));
    const words = (plot: number): string | null =>
      id === 'kind' ? (labelOfKind.get(plots.kind[plot] ?? 'ENTRY') ?? null) : asWord(wordOf(plots, id, plot));
    const colorOf = (group: string, { dark }: ChartColors): string | undefined => {
      const kind = kinds.get(group);
      return kind && KIND_COLORS[dark ? 'dark' : 'light'][kind];
    };
    const base = { kind: 'group' as const, id, title: t(`trials.layer.${id}`), groups: placed.map(words) };
    return [id === 'kind' ? { ...base, colorOf } : base];
  }, [traits, shown, placed, plots, t]);
  const groupOf = useCallback((place: number) => plots.replicate[placed[place] ?? -1], [plots, placed]);
  const labelOf = useCallback((place: number) => plots.entry[placed[place] ?? -1] ?? '', [plots, placed]);
  const onMap = useMemo(() => placeSet(placed, selected), [placed, selected]);
  const { marksOf } = props;
  const shownTrait = traits.find(({ trait }) => shown === `trait ${trait}`)?.trait;
  const marks = useMemo(() => {
    const { marked = [], crossed = [] } = marksOf?.(shownTrait) ?? {};
    return { marked: [...placeSet(placed, new Set(marked))], crossed: [...placeSet(placed, new Set(crossed))] };
  }, [placed, marksOf, shownTrait]);
  const describe = (place: number) => {
    const plot = placed[place] ?? -1;
    const rows: [string, string][] = [
      [t('trials.plot'), plots.name[plot] ?? ''],
      [t('trials.row'), String(plots.row[plot] ?? '–')],
      [t('trials.column'), String(plots.column[plot] ?? '–')],
    ];
    for (const layer of ['replicate', 'block', 'treatment'] as const) {
      const word = wordOf(plots, layer, plot);
      if (word !== null) rows.push([t(`trials.layer.${layer}`), String(word)]);
    }
    for (const { title: label, values } of traits) {
      const value = values[plot];
      if (value != null) rows.push([label, typeof value === 'number' ? formatStatistic(value) : value]);
    }
    for (const [label, text] of props.notesOf?.(plot) ?? []) rows.push([label, text]);
    return { title: plots.entry[plot] ?? t(`trials.kind.${plots.kind[plot] ?? 'FILLER'}`), rows };
  };
  if (placed.length === 0) return <p className="hx-muted">{t('trials.noMap')}</p>;
  return (
    <FieldMaps
      title={title}
      places={places}
      layers={layers}
      groupOf={groupOf}
      labelOf={labelOf}
      marked={marks.marked}
      crossed={marks.crossed}
      selected={onMap}
      onSelect={(chosen) => onSelect(new Set([...chosen].map((place) => placed[place] ?? -1)))}
      {...(onSwap ? { onSwap: (one, other) => onSwap(placed[one] ?? -1, placed[other] ?? -1) } : {})}
      {...(props.isForSwaps ? { isForSwaps: true } : {})}
      describe={describe}
      tools={
        <>
          {choices.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label={t('trials.colourBy')}
              value={shown}
              onChange={(event) => setWanted(event.currentTarget.value)}
              data={choices}
            />
          )}
          {props.tools}
        </>
      }
      fileName={props.fileName}
      tableId={props.tableId}
    />
  );
}

/** What differs between plots. */
function layersOfDesign(plots: PlotRows): DesignLayer[] {
  const differ = (layer: Exclude<DesignLayer, 'kind'>): DesignLayer[] =>
    new Set(plots.number.map((_, plot) => wordOf(plots, layer, plot)).filter((word) => word !== null)).size > 1
      ? [layer]
      : [];
  return ['kind', ...differ('replicate'), ...differ('block'), ...differ('treatment')];
}

const wordOf = (plots: PlotRows, layer: Exclude<DesignLayer, 'kind'>, plot: number): string | number | null =>
  plots[layer][plot] ?? null;

const asWord = (word: string | number | null): string | null => (word === null ? null : String(word));

/** Numbers as amounts, scores and words as groups. */
function traitLayer({ trait, title, values }: TraitLayer, placed: readonly number[]): FieldLayer {
  const own = placed.map((plot) => values[plot] ?? null);
  const numbers = own.filter((value) => typeof value === 'number');
  if (numbers.length === 0 && own.some((value) => value !== null))
    return { kind: 'group', id: trait, title, groups: own.map(asWord) };
  const amounts = own.map((value) => (typeof value === 'number' ? value : null));
  return {
    kind: 'amount',
    id: trait,
    title,
    values: amounts,
    range: amountRange(amounts, false),
    format: formatStatistic,
  };
}

function placeSet(placed: readonly number[], plots: ReadonlySet<number>): Set<number> {
  return new Set(placed.flatMap((plot, place) => (plots.has(plot) ? [place] : [])));
}
