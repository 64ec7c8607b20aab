import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import classes from './explained.module.css';

const WIDTH_PX = 320;

/** What a figure means, shown beside what it wraps: on hover, by keyboard, and on touch. */
export function Explained({ hint, children }: { hint: string | undefined; children: ReactElement }) {
  if (hint === undefined) return children;
  return (
    <Tooltip
      label={hint}
      multiline
      maw={WIDTH_PX}
      position="bottom-start"
      events={{ hover: true, focus: true, touch: true }}
    >
      {children}
    </Tooltip>
  );
}

/** The name of a figure that can be asked what it means: underlined with dots. */
export function ExplainedLabel({ hint, children }: { hint: string | undefined; children: string }) {
  if (hint === undefined) return children;
  return (
    <Explained hint={hint}>
      <button type="button" className={classes.label}>
        {children}
      </button>
    </Explained>
  );
}
