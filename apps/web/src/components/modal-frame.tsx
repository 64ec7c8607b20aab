import { Modal } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { HelpLink } from './help-link.tsx';

/**
 * Looks and behaviour that all modals share. Escape, the cross and a click outside close it; `busy` keeps it open. A
 * modal over another one (`isNested`) returns the focus to its opener; for the others the modal host does.
 */
export function ModalFrame({
  title,
  onClose,
  size = 'md',
  busy = false,
  isNested = false,
  help,
  children,
}: {
  title: string;
  onClose: () => void;
  size?: 'sm' | 'md' | 'lg' | 'xl' | string;
  busy?: boolean;
  isNested?: boolean;
  /** Where the help explains this dialog, for example `prediction#train-a-model`. */
  help?: string | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  useEffect(() => {
    const opener = document.activeElement;
    if (!isNested || !(opener instanceof HTMLElement)) return;
    // After the focus trap has been released.
    return () => void setTimeout(() => opener.isConnected && opener.focus());
  }, [isNested]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        help === undefined ? (
          title
        ) : (
          <>
            {title} <HelpLink topic={help}>{t('help.title')}</HelpLink>
          </>
        )
      }
      size={size}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      closeButtonProps={{ 'aria-label': t('action.close'), disabled: busy }}
      // The modal host returns the focus, also for modals that are open when the page loads.
      returnFocus={false}
      // Mantine's header element would count as a second page header.
      attributes={{ header: { role: 'presentation' } }}
    >
      {children}
    </Modal>
  );
}
