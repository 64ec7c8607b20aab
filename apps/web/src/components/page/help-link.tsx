import type { ReactNode } from 'react';

/**
 * A link into the help: `formats#linkage-maps`, or a row of a table by its code, `formats#E-GT-POS`. It opens in
 * another tab, because most are in dialogs that would be lost.
 */
export function HelpLink({ topic, children, label }: { topic: string; children: ReactNode; label?: string }) {
  return (
    <a href={`/help/${topic}`} target="_blank" rel="noreferrer" aria-label={label} className="hx-help-link">
      {children}
    </a>
  );
}
