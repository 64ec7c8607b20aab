import { pathId } from '@heterosis/contracts/common';
import * as z from 'zod';

/** Path parameters of the routes below a project. */
export const inProject = z.object({ project_id: pathId });

/** The guard of routes that every member of the project may use. */
export const forProjectMembers = { guard: { project: 'MEMBER' } } as const;
