import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useModal } from '../../lib/browser/modal.ts';
import { useSession } from '../../lib/session/browser-session.ts';
import { organizationsQuery } from '../people/organizations/index.ts';

/**
 * Asks for what is missing: the name of a user who has none, then an organization once the list has loaded and is
 * empty. Each dialog opens by itself once; a user who closes it can look around.
 */
export function FirstSteps() {
  const state = useSession();
  const modal = useModal();
  const { data: organizations } = useQuery(organizationsQuery());
  const asked = useRef(new Set<string>());
  const hasName = state.status === 'signed-in' && state.user.displayName !== null;
  const missing = !hasName ? 'name-registration' : organizations?.length === 0 ? 'create-org' : undefined;

  useEffect(() => {
    if (missing === undefined || modal.current !== undefined || asked.current.has(missing)) return;
    asked.current.add(missing);
    modal.open(missing);
  }, [missing, modal]);
  return null;
}
