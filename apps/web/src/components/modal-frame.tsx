import { Modal } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * Looks and behaviour that all modals share. Escape, the cross and a click outside close it; `busy` keeps it open. One that
 * opens over another (`isNested`) gives the focus back to the control that opened it; for the others the modal host does.
 */
export function ModalFrame({
  title,
  onClose,
  size = 'md',
  busy = false,
  isNested = false,
  children,
}: {
  title: string;
  onClose: () => void;
  size?: 'sm' | 'md' | 'lg' | 'xl' | string;
  busy?: boolean;
  isNested?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  useEffect(() => {
    const opener = document.activeElement;
    if (!isNested || !(opener instanceof HTMLElement)) return;
    // After the focus trap has let go.
    return () => void setTimeout(() => opener.isConnected && opener.focus());
  }, [isNested]);
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
