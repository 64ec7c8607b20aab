import type { Pedigree } from '@heterosis/contracts/data/pedigree';
import { Autocomplete, Button, Menu, NativeSelect, VisuallyHidden } from '@mantine/core';
import { Link, type LinkProps, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconChevronDown, IconFocusCentered, IconMinus, IconPlus } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { downloadBlob, downloadText } from '../../../lib/browser/download.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { germplasmListLink } from '../germplasm/index.ts';
import { heliumText, pedigreeCsv, pedigreeSvg } from './graph/export-graph.ts';
import { isRelated, kinOf } from './graph/kin.ts';
import { layoutPedigree } from './graph/layout.ts';
import { type Marks, type Palette, type Picture, pictureOf } from './graph/paint.ts';
import { IndividualPanel } from './individual-panel.tsx';
import { IndividualTable } from './individual-table.tsx';
import classes from './pedigree.module.css';
import { type GraphHandle, PedigreeGraph } from './pedigree-graph.tsx';
import { PedigreeLegend } from './pedigree-legend.tsx';
import { expanded, firstShown, lineage, neighbour, type Selection } from './selection.ts';
import { useColoring } from './use-coloring.ts';

/** The graph, the table beside it with the same selection, and what is chosen. */
export function PedigreeView(props: { place: Place; name: string; pedigree: Pedigree; filters: ReactNode }) {
  const { place, pedigree } = props;
  const { t } = useTranslation();
  const { individuals } = pedigree;
  const kin = useMemo(() => kinOf(individuals), [individuals]);
  const [selection, setSelection] = useState<Selection>(() => ({ shown: firstShown(kin), chosen: [] }));
  const graph = useRef<GraphHandle>(null);
  const colors = useColoring(place, individuals);
  const palette = usePalette();
  const picture = useMemo(() => pictureOf(kin, layoutPedigree(kin, selection.shown)), [kin, selection.shown]);
  const { fillOf } = colors.coloring;
  const marks = useMemo(
    (): Marks => ({ palette, fillOf, selected: new Set(selection.chosen) }),
    [palette, fillOf, selection.chosen],
  );
  const alone = useMemo(() => individuals.flatMap((_, i) => (isRelated(kin, i) ? [] : [i])), [kin, individuals]);
  const related = individuals.length - alone.length;

  const choose = (i: number, isAdding = false): void => {
    setSelection(({ shown, chosen }) => ({
      shown: shown.has(i) || !isRelated(kin, i) ? shown : expanded(kin, shown, i),
      chosen: isAdding ? (chosen.includes(i) ? chosen.filter((one) => one !== i) : [...chosen, i]) : [i],
    }));
  };
  const goTo = (i: number): void => {
    choose(i);
    // The picture with the individual is drawn after this.
    requestAnimationFrame(() => requestAnimationFrame(() => graph.current?.focus(i)));
  };
  // A link from the page of a germplasm names it.
  const { individual } = useSearch({ strict: false });
  const wanted = useMemo(() => individuals.findIndex(({ id }) => id === individual), [individuals, individual]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each individual of the address
  useEffect(() => (wanted < 0 ? undefined : goTo(wanted)), [wanted]);
  const show = (shown: ReadonlySet<number>): void => setSelection(({ chosen }) => ({ shown, chosen }));
  const expand = (i: number): void => show(expanded(kin, selection.shown, i));
  const onKey = (event: KeyboardEvent): boolean => {
    const last = selection.chosen.at(-1);
    if (event.key === 'Escape') {
      setSelection(({ shown }) => ({ shown, chosen: [] }));
      return true;
    }
    if (last === undefined) return false;
    if (event.key === 'Enter') expand(last);
    else {
      const next = neighbour(kin, last, event.key, event.shiftKey);
      if (next === undefined) return event.key.startsWith('Arrow');
      goTo(next);
    }
    return true;
  };

  if (related === 0) {
    return (
      <>
        {props.filters}
        <NoParents place={place} />
      </>
    );
  }
  const last = selection.chosen.at(-1);
  return (
    <>
      {pedigree.cut && <Notice>{t('pedigree.cut', { count: individuals.length, total: pedigree.total })}</Notice>}
      <div className={classes.tools}>
        <Search individuals={individuals} onFind={goTo} />
        <NativeSelect
          className={classes.coloring}
          label={t('pedigree.colorBy')}
          value={colors.choice}
          data={colors.choices}
          onChange={(event) => colors.setChoice(event.currentTarget.value)}
        />
        {props.filters}
        <Button variant="default" disabled={selection.shown.size === related} onClick={() => show(firstShown(kin))}>
          {t('pedigree.showAll')}
        </Button>
        <ExportMenu name={props.name} picture={picture} marks={marks} graph={graph} />
      </div>
      <div className={classes.columns}>
        <div className={classes.main}>
          <PedigreeGraph ref={graph} picture={picture} marks={marks} onSelect={choose} onExpand={expand} onKey={onKey}>
            <ZoomButtons graph={graph} />
          </PedigreeGraph>
          <PedigreeLegend coloring={colors.coloring} palette={palette} />
          <details className={classes.keys}>
            <summary>{t('pedigree.keysTitle')}</summary>
            <p id="pedigree-keys">{t('pedigree.keys')}</p>
          </details>
          <VisuallyHidden role="status">
            {last === undefined ? '' : t('pedigree.chosenAloud', { name: individuals[last]?.name })}
          </VisuallyHidden>
        </div>
        <div className={classes.side}>
          <IndividualPanel
            place={place}
            kin={kin}
            chosen={selection.chosen}
            onChoose={goTo}
            onExpand={expand}
            onLineage={(i) => show(lineage(kin, i))}
          />
          <IndividualTable kin={kin} selection={selection} alone={alone} name={props.name} onChoose={goTo} />
          {related < individuals.length && (
            <p className="hx-muted">{t('pedigree.unrelated', { count: alone.length })}</p>
          )}
        </div>
      </div>
    </>
  );
}

function ZoomButtons({ graph }: { graph: { current: GraphHandle | null } }) {
  const { t } = useTranslation();
  return (
    <div className={classes.zoom}>
      <IconButton label={t('word.zoomIn')} variant="default" size="md" onClick={() => graph.current?.zoomBy(1.4)}>
        <IconPlus size={16} />
      </IconButton>
      <IconButton label={t('word.zoomOut')} variant="default" size="md" onClick={() => graph.current?.zoomBy(0.7)}>
        <IconMinus size={16} />
      </IconButton>
      <IconButton label={t('pedigree.fit')} variant="default" size="md" onClick={() => graph.current?.fit()}>
        <IconFocusCentered size={16} />
      </IconButton>
    </div>
  );
}

/** What belongs here, and the way to it. */
export function NoParents({ place }: { place: Place }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('pedigree.emptyTitle')}
      action={
        <Link {...(germplasmListLink(place) as LinkProps)}>
          <Button component="span">{t('pedigree.emptyAction')}</Button>
        </Link>
      }
    >
      {t('pedigree.emptyText')}
    </EmptyState>
  );
}

const MOST_SUGGESTED = 20;

function Search({ individuals, onFind }: { individuals: Pedigree['individuals']; onFind: (i: number) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const placeOf = useMemo(() => new Map(individuals.map(({ name }, i) => [name, i])), [individuals]);
  const suggestions = useMemo(() => {
    const wanted = text.trim().toLocaleLowerCase();
    if (wanted === '') return [];
    const found: string[] = [];
    for (const { name } of individuals) {
      if (name.toLocaleLowerCase().includes(wanted)) found.push(name);
      if (found.length === MOST_SUGGESTED) break;
    }
    return [...new Set(found)];
  }, [individuals, text]);
  const find = (name: string): void => {
    const place = placeOf.get(name) ?? placeOf.get(suggestions[0] ?? '');
    if (place !== undefined) onFind(place);
  };
  return (
    <Autocomplete
      className={classes.search}
      label={t('pedigree.search')}
      value={text}
      onChange={setText}
      data={suggestions}
      filter={({ options }) => options}
      onOptionSubmit={find}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && placeOf.has(text.trim())) find(text.trim());
      }}
    />
  );
}

function ExportMenu(props: { name: string; picture: Picture; marks: Marks; graph: { current: GraphHandle | null } }) {
  const { name, picture, marks } = props;
  const { t } = useTranslation();
  const { kin, layout } = picture;
  const shown = (): number[] => Array.from(layout.order);
  const file = `${name} ${t('nav.pedigree').toLocaleLowerCase()}`;
  const asPng = async (): Promise<void> => {
    const blob = (await props.graph.current?.png()) ?? null;
    if (blob !== null) downloadBlob(`${file}.png`, blob);
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden="true" />}>
          {t('word.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => downloadText(`${file}.csv`, pedigreeCsv(kin.individuals, shown()))}>CSV</Menu.Item>
        <Menu.Item
          onClick={() => downloadText(`${file}.helium.txt`, heliumText(kin.individuals, shown()), 'text/plain')}
        >
          Helium
        </Menu.Item>
        <Menu.Item onClick={() => downloadText(`${file}.svg`, pedigreeSvg(picture, marks), 'image/svg+xml')}>
          SVG
        </Menu.Item>
        <Menu.Item onClick={() => void asPng()}>PNG</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function usePalette(): Palette {
  const colors = useChartColors();
  return useMemo(
    () => ({
      ground: colors.ground,
      text: colors.text,
      muted: colors.muted,
      accent: colors.accent,
      lines: {
        female: '#CC79A7',
        male: colors.mark,
        selfed: colors.text,
        clone: colors.muted,
        recurrent: '#E69F00',
      },
    }),
    [colors],
  );
}
