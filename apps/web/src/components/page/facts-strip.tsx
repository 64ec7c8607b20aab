import type { ReactNode } from 'react';
import { ExplainedLabel } from './explained.tsx';
import classes from './facts-strip.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** What the fact means, said when its label is pointed at. */
  hint?: string;
}

/** The facts of a thing in one line that wraps: inputs as links, parameters, who, when, how long. */
export function FactsStrip({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts} data-facts>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>
            <ExplainedLabel hint={fact.hint}>{fact.label}</ExplainedLabel>
          </dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
