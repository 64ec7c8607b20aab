import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Looks and behaviour that all modals share. Escape, the cross and a click outside close it; `busy` keeps it open. */
export function ModalFrame({
  title,
  onClose,
  size = 'md',
  busy = false,
  children,
}: {
  title: string;
  onClose: () => void;
  size?: 'sm' | 'md' | 'lg' | 'xl' | string;
  busy?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      closeButtonProps={{ 'aria-label': t('action.close'), disabled: busy }}
      // The modal host gives the focus back, also for modals that are open when the page loads.
      returnFocus={false}
      // Mantine's header element would count as a second page header.
      attributes={{ header: { role: 'presentation' } }}
    >
      {children}
    </Modal>
  );
}
