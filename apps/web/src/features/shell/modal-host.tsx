import { Suspense, useEffect, useRef } from 'react';
import { useModal } from '../../lib/modal.ts';
import { MODALS } from './modals.ts';

/** Shows the modal that the address names, and gives the focus back to where it was when the modal goes. */
export function ModalHost() {
  const modal = useModal();
  const opener = useRef<HTMLElement | null>(null);
  opener.current ??= document.activeElement as HTMLElement | null;

  useEffect(
    () => () => {
      const target = opener.current;
      // A menu entry that opened the modal is gone by now; then the page itself gets the focus.
      if (target?.isConnected && target !== document.body) target.focus();
      else document.getElementById('main')?.focus();
    },
    [],
  );

  const Modal = modal.current === undefined ? undefined : MODALS[modal.current];
  if (!Modal) return null;
  return (
    <Suspense>
      <Modal key={`${modal.current} ${modal.id}`} id={modal.id} close={modal.close} />
    </Suspense>
  );
}
