import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * An icon button whose tooltip is the browser's own: for the signed-out pages, which load without floating elements.
 */
export function PlainIconButton({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <ActionIcon aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}
