import { chooseLociBody, chosenLoci, passport, passportQuery } from '../../data/passports.ts';
import { type Endpoints, get, PROJECT_MEMBER, put } from '../../endpoint.ts';

export const passportsApi = {
  readPassport: get('/projects/:project_id/passport', PROJECT_MEMBER, {
    summary: 'All that a project knows of a line',
    query: passportQuery,
    answer: passport,
    costly: true,
  }),
  readChosenLoci: get('/projects/:project_id/passport_loci', PROJECT_MEMBER, {
    summary: 'The loci that the passports of a project show',
    answer: chosenLoci,
  }),
  chooseLoci: put('/projects/:project_id/passport_loci', PROJECT_MEMBER, {
    summary: 'Choose the loci that the passports of a project show',
    description: 'Markers and regions of one genotype file, for all members. They replace those of before.',
    body: chooseLociBody,
    answer: chosenLoci,
  }),
} as const satisfies Endpoints;
