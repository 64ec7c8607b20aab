import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Button } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPlus, IconX } from '../../../components/icons.tsx';
import type { PlanAnswer } from './plan-answer.ts';
import type { PlanSettings } from './plan-settings.ts';
import classes from './plan-workbench.module.css';
import { mateFor } from './why-not.ts';

/** What of the settings lets a candidate take part, or keeps it out. */
export function useParentChanges(
  tables: PlanTables,
  answer: PlanAnswer | undefined,
  { settings, onChange }: { settings: PlanSettings; onChange: (changes: Partial<PlanSettings>) => void },
) {
  const parents = [...(answer?.plan.uses.keys() ?? [])].filter((place) => (answer?.plan.uses[place] ?? 0) > 0);
  const nameOf = (place: number): string => tables.candidates[place] ?? '';
  const putOut = (name: string): void => onChange({ excluded: new Set([...settings.excluded, name]) });
  /** Whom the plan does not take by itself gets a required cross, with the parent least related to it. */
  const bringIn = (name: string): void => {
    const excluded = new Set([...settings.excluded].filter((one) => one !== name));
    if (excluded.size < settings.excluded.size) return onChange({ excluded });
    const place = tables.candidates.indexOf(name);
    const mate = mateFor(tables, place, parents);
    if (mate === undefined || parents.includes(place)) return;
    onChange({ required: [settings.required.trim(), `${name} × ${nameOf(mate)}`].filter(Boolean).join('\n') });
  };
  // Who is kept out is gone at once, not when the next plan is there.
  return { parents: parents.map(nameOf).filter((name) => !settings.excluded.has(name)), putOut, bringIn };
}

/** What a dragged name is called: a name from elsewhere is no candidate. */
const CANDIDATE_TYPE = 'application/x-heterosis-candidate';

/** The parents of the plan and who was kept out, as names to drag or to press: gain and coancestry move with them. */
export function PlanParents(props: {
  tables: PlanTables;
  answer: PlanAnswer;
  settings: PlanSettings;
  onChange: (changes: Partial<PlanSettings>) => void;
  onCandidates: () => void;
}) {
  const { tables, answer, settings, onCandidates } = props;
  const { t } = useTranslation();
  const { parents, putOut, bringIn } = useParentChanges(tables, answer, props);
  const { place, follow } = useFocusOnMoved();
  return (
    <div className={classes.parents} ref={place}>
      <Zone
        title={t('crossing_plans.parentsIn', { count: parents.length })}
        names={parents}
        label={(name) => t('crossing_plans.takeOut', { name })}
        onPress={(name) => follow(name, putOut)}
        onDrop={bringIn}
        isOut={false}
      />
      <Zone
        title={t('crossing_plans.parentsOut')}
        names={[...settings.excluded]}
        label={(name) => t('crossing_plans.bringBack', { name })}
        onPress={(name) => follow(name, bringIn)}
        onDrop={putOut}
        isOut
      />
      <Button size="xs" variant="default" onClick={onCandidates}>
        {t('crossing_plans.allCandidates')}
      </Button>
    </div>
  );
}

/**
 * Pressing a name takes its button away, and the focus with it: the focus goes to the name where it is now, or waits at
 * the parents until the next plan is there, so that Enter takes the move back.
 */
function useFocusOnMoved() {
  const place = useRef<HTMLDivElement>(null);
  const moved = useRef<string>(undefined);
  useEffect(() => {
    if (moved.current === undefined) return;
    const parents = place.current?.querySelector<HTMLElement>('section');
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== parents) {
      moved.current = undefined;
      return;
    }
    const names = [...(place.current?.querySelectorAll<HTMLElement>('[data-candidate]') ?? [])];
    const found = names.find(({ dataset }) => dataset['candidate'] === moved.current);
    if (found) moved.current = undefined;
    (found ?? parents)?.focus();
  });
  return {
    place,
    follow: (name: string, move: (name: string) => void) => {
      moved.current = name;
      move(name);
    },
  };
}

function Zone(props: {
  title: string;
  names: readonly string[];
  label: (name: string) => string;
  onPress: (name: string) => void;
  onDrop: (name: string) => void;
  isOut: boolean;
}) {
  const { title, names, label, onPress, onDrop, isOut } = props;
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const Icon = isOut ? IconPlus : IconX;
  const take = (event: DragEvent): void => {
    setOver(false);
    const name = event.dataTransfer.getData(CANDIDATE_TYPE);
    if (name === '') return;
    event.preventDefault();
    onDrop(name);
  };
  return (
    <section
      className={classes.zone}
      aria-label={title}
      tabIndex={-1}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(CANDIDATE_TYPE)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={take}
    >
      <h3>{title}</h3>
      {names.length === 0 ? (
        <p className="hx-muted">{t('crossing_plans.dragHere')}</p>
      ) : (
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button
                type="button"
                className={classes.parent}
                aria-label={label(name)}
                data-candidate={name}
                draggable
                onDragStart={({ dataTransfer }) => {
                  dataTransfer.effectAllowed = 'move';
                  dataTransfer.setData(CANDIDATE_TYPE, name);
                }}
                onClick={() => onPress(name)}
              >
                {name} <Icon size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
