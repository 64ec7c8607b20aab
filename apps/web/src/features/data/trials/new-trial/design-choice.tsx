import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { DESIGN_NAMES, type DesignName } from '@heterosis/statgen/designs/design-types';
import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import type { Obstacle } from './design.worker.ts';
import { DesignDrawing } from './design-drawing.tsx';
import classes from './new-trial.module.css';

/**
 * The nine designs as pictures. One that these numbers make impossible says why, and can be chosen all the same: its
 * own fields may be what is missing.
 */
export function DesignChoice(props: {
  value: DesignName;
  onChange: (design: DesignName) => void;
  obstacles: Partial<Record<DesignName, Obstacle | null>>;
  inWords: (text: string) => string;
}) {
  const { value, onChange, obstacles, inWords } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  const group = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = DESIGN_NAMES.at((DESIGN_NAMES.indexOf(value) + by) % DESIGN_NAMES.length) ?? value;
    onChange(next);
    group.current?.querySelector<HTMLElement>(`[data-design="${next}"]`)?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      tabIndex={-1}
      aria-label={textOf('design', 'label')}
      className={classes.designs}
      onKeyDown={step}
    >
      {DESIGN_NAMES.map((design) => {
        const obstacle = obstacles[design] ?? undefined;
        return (
          <UnstyledButton
            key={design}
            role="radio"
            aria-checked={design === value}
            tabIndex={design === value ? 0 : -1}
            className={classes.design ?? ''}
            data-design={design}
            data-impossible={obstacle !== undefined || undefined}
            onClick={() => onChange(design)}
          >
            <DesignDrawing design={design} />
            <span className={classes.designName}>{textOf('design', 'labels', design)}</span>
            <span className={classes.designText}>
              {obstacle === undefined ? t(`trials.designs.${design}`) : inWords(obstacle.message)}
            </span>
          </UnstyledButton>
        );
      })}
    </div>
  );
}
