import { plotPhotosApi } from '@heterosis/contracts/endpoints/data/photos';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { call, OTHER_PERSON } from '../../../../lib/api/api-client.ts';
import { randomUuid } from '../../../../lib/api/http.ts';
import { asProblem, isWorthRetrying } from '../../../../lib/api/problem.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import { useSession } from '../../../../lib/session/browser-session.ts';
import { dropPhoto, keepPhoto, PhotosFull, type WaitingPhoto, waitingPhotos } from './photo-store.ts';
import { shrinkPhoto } from './shrink-photo.ts';

/** Without a connection, until the next attempt. */
const RETRY_MS = 15_000;
/** Of an answer of the server that is no refusal of the photo: whoever asks is not signed in any more. */
const NOT_SIGNED_IN = 401;

const waitingQuery = (user: string, trialId: string) =>
  queryOptions({
    queryKey: ['waiting photos', user, trialId],
    queryFn: () => waitingPhotos(user, trialId),
    // Of this browser: it needs no connection.
    networkMode: 'always',
  });

/** All trials take turns: a phone in the field has little bandwidth. */
let sending = Promise.resolve();

/**
 * Photos on their way to the server. They are kept in the browser first; without a connection they wait there, also
 * over a reload, and are sent in the name of who took them when it is back.
 */
export function useWaitingPhotos(projectId: string, trialId: string) {
  const client = useQueryClient();
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user.uid : '-';
  const { data: waiting = NONE } = useQuery(waitingQuery(user, trialId));
  const open = waiting.some(({ refused }) => refused === undefined);

  const send = useCallback((): Promise<void> => {
    const turn = sending.then(() => sendAll(user, { projectId, trialId }));
    sending = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn.finally(() =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['waiting photos', user, trialId] }),
        client.invalidateQueries({ queryKey: [...keys.trials(projectId), 'photos', trialId] }),
      ]),
    );
  }, [client, projectId, trialId, user]);

  useEffect(() => {
    if (!open) return undefined;
    const again = (): void => void send().catch(() => undefined);
    again();
    const timer = setInterval(again, RETRY_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [open, send]);

  return {
    waiting,
    add: useMutation({
      networkMode: 'always',
      mutationFn: async ({ files, plot }: { files: readonly File[]; plot: number }) => {
        for (const file of files) {
          const one: WaitingPhoto = {
            ...{ id: randomUuid(), user, trialId, plot, name: file.name.slice(0, 255) || 'photo' },
            takenAt: new Date(file.lastModified || Date.now()).toISOString(),
            ...(await shrinkPhoto(file)),
          };
          try {
            await keepPhoto(one);
          } catch (error) {
            // Nothing can be kept: it arrives at once, or whoever took it is told.
            await sendPhoto({ projectId, trialId }, one).catch((failure: unknown) => {
              throw isWorthRetrying(failure) && error instanceof PhotosFull ? error : failure;
            });
          }
        }
      },
      onSettled: () => send().catch(() => undefined),
    }),
    discard: useMutation({
      networkMode: 'always',
      mutationFn: dropPhoto,
      onSettled: () => client.invalidateQueries({ queryKey: ['waiting photos', user, trialId] }),
    }),
  };
}

const NONE: readonly WaitingPhoto[] = [];

interface OfTrial {
  projectId: string;
  trialId: string;
}

async function sendPhoto({ projectId, trialId }: OfTrial, one: WaitingPhoto): Promise<void> {
  const of = { project_id: projectId, id: trialId };
  const query = { id: one.id, plot: one.plot, name: one.name, taken_at: one.takenAt };
  const sent = { asUser: one.user };
  const { id } = await call(plotPhotosApi.addPhoto, { ...of, query, body: one.photo }, sent);
  if (one.thumbnail) await call(plotPhotosApi.addThumbnail, { ...of, photo_id: id, body: one.thumbnail }, sent);
}

/** Sends what waits, the oldest first, until there is no connection; what the server refuses stays with its reason. */
async function sendAll(user: string, of: OfTrial): Promise<void> {
  for (const one of await waitingPhotos(user, of.trialId)) {
    if (one.refused !== undefined) continue;
    try {
      await sendPhoto(of, one);
      await dropPhoto(one.id);
    } catch (error) {
      const problem = asProblem(error);
      const mayPass = isWorthRetrying(problem) || problem.code === OTHER_PERSON || problem.status === NOT_SIGNED_IN;
      if (mayPass) return;
      await keepPhoto({ ...one, refused: problem.detail });
    }
  }
}
