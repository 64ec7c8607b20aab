import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExplainedLabel } from './explained.tsx';
import classes from './facts-strip.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** What the fact means, said when its label is pointed at. */
  hint?: string;
  /** Whoever does not read it may read the results wrongly: never folded away. */
  isVital?: boolean;
}

/** What fits into a line; a single one more is no reason for a button. */
const SHOWN = 6;

/**
 * The facts of a thing in one line: inputs as links, parameters, who, when, how long. The first six are seen, the
 * others on demand.
 */
export function FactsStrip({ facts }: { facts: Fact[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isFolded = facts.length > SHOWN + 1;
  const id = useId();
  return (
    <div className={classes.strip}>
      <dl id={id} className={classes.facts} data-facts>
        {facts.map((fact, index) => (
          <div key={fact.label} hidden={isFolded && !isOpen && index >= SHOWN && fact.isVital !== true}>
            <dt>
              <ExplainedLabel hint={fact.hint}>{fact.label}</ExplainedLabel>
            </dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
      {isFolded && (
        <Button
          className={classes.all}
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('page.fewerFacts') : t('page.allFacts', { count: facts.length })}
        </Button>
      )}
    </div>
  );
}
