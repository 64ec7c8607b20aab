import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './tab-strip.module.css';

export interface TabItem {
  id: string;
  label: ReactNode;
  content: ReactNode;
  disabled?: boolean;
}

/**
 * Tabs, the first chosen by default. With `value` and `onChange` the choice lives outside, for example in the address.
 * Only the chosen tab is rendered.
 */
export function TabStrip({
  tabs,
  label,
  value,
  onChange,
}: {
  tabs: TabItem[];
  label: string;
  value?: string | undefined;
  onChange?: (id: string) => void;
}) {
  const first = tabs[0]?.id ?? null;
  const isControlled = onChange !== undefined;
  const chosen = tabs.some((tab) => tab.id === value) ? (value ?? first) : first;
  return (
    <Tabs
      keepMounted={false}
      {...(isControlled
        ? { value: chosen, onChange: (id: string | null) => id && onChange(id) }
        : { defaultValue: first })}
    >
      <Tabs.List aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.id} value={tab.id} className={classes.tab ?? ''} disabled={tab.disabled ?? false}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.id} value={tab.id} className={classes.panel ?? ''}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
