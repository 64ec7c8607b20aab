import type { Place } from '../../../lib/browser/place.ts';
import { Members } from './members.tsx';
import { mayInvite, type Standing, seesInvitations } from './rights.ts';
import { SentInvitations } from './sent-invitations.tsx';

/** Everything about the people of an organization or a project: who is here, and who is invited. */
export function People(props: {
  place: Place;
  /** Of the place, for the questions. */
  name: string;
  standing: Standing;
  /** Once the caller has left. */
  onLeft: () => void;
}) {
  const { place, name, standing, onLeft } = props;
  return (
    <>
      <Members place={place} name={name} standing={standing} onLeft={onLeft} />
      {seesInvitations(standing) && <SentInvitations place={place} mayResend={mayInvite(standing)} />}
    </>
  );
}
