import type { ReactNode } from 'react';
import classes from './facts-strip.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** Said on hover: what the fact means. */
  hint?: string;
}

/** The facts of a thing in one line that wraps: inputs as links, parameters, who, when, how long. */
export function FactsStrip({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts} data-facts>
      {facts.map((fact) => (
        <div key={fact.label} title={fact.hint}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
