import { headerKey } from './cell-values.ts';

/**
 * Headers by the column that they name, collected from programs of the field: texts of spellings separated by blanks,
 * earlier ones first where a file has several. `docs/formats.md` lists them.
 */
export const HEADER_SPELLINGS = {
  phenotype: {
    individual:
      'individual individualName germplasmName accession_name lineName line genotype genotypeName germplasm accession variety cultivar clone designation taxa taxon <Trait> sampleName sample name hybrid inbred entry ind id lineId sampleId individualId accessionId seedName seedId Linie Sorte Genotyp Prüfglied Pruefglied lignée lignee variété variete génotype individu línea linea variedad genotipo individuo entrada linhagem linha cultivar_name entry_name gen',
    environment:
      'env environment environmentName study studyName trial trialName experiment trial_instance Umwelt Versuch essai ensayo ambiente',
    location:
      'location locationName loc site env_location Ort Standort Prüfort lieu localité localite localidad lugar local',
    year: 'year season env_year studyYear Jahr Erntejahr année annee campagne año ano campaña',
    treatment: 'treatment',
    replicate:
      'rep replicate replication exp_replicate_# rep_no Wdh Wiederholung répétition repetition repetición repeticion repetição',
    block: 'block blk exp_block_# blockNumber block_no bloc bloque bloco',
    row: 'row rowNumber row_no Reihe Zeile rang fila linha_no',
    column: 'column col range colNumber columnNumber col_no Spalte colonne columna',
    plot: 'plot plot_name observationunit_name observationUnitName plotid ObsUnitID plotNumber plot_no Parzelle Parzellennummer parcelle parcela',
    check: 'entryType Test(T)OrCheck(C) testOrCheck checkOrTest isCheck check kind plotKind',
    trait: 'trait traitName variable observationVariableName variableName Merkmal caractère caracter',
    value: 'value observationValue phenotypeValue Wert Messwert valeur valor',
    timestamp: 'timestamp observationTimeStamp datetime date',
  },
  linkageMap: {
    marker: 'SNPid snp marker markerName markerId snpName id rs rs# variant variantName variantId locus name',
    chromosome: 'chr chrom chromosome #CHROM #chr linkageGroup linkageGroupName lg group',
    basePairs: 'physPos position_bp pos_bp bp physical_position physical_pos',
    /** A unit may follow each; `position` and `pos` alone hold base pairs where the numbers are large. */
    mapPosition: 'linkMapPos genetic_position gmap map_position genetic_distance genetic_pos position pos',
  },
  crossingTable: {
    // Names before ids: in a file with both, the id is used only where the name is missing.
    female:
      'femaleName female femaleParent female_parent_accession female_accession mother dam maternal maternal_parent seed_parent parent1 p1 ind1 femaleDbId femaleObsUnitDbId',
    male: 'maleName male maleParent male_parent_accession male_accession father sire paternal paternal_parent pollen_parent parent2 p2 ind2 maleDbId maleObsUnitDbId',
    parent3: 'parent3 p3 third_parent',
    parent4: 'parent4 p4 fourth_parent',
    name: 'cross_unique_id crossName cross name offspring progeny family crossId',
    progeny: 'n nProgeny progeny_number number_of_progeny progeny_count count wishMin',
    type: 'type cross_type wishType',
  },
  germplasm: {
    name: 'name germplasmName germplasm accession_name accessionName ACCENAME accession designation lineName line individual ind progeny_name progeny entry_name',
    /** MCPD: the number stands in where an accession has no name. */
    accessionNumber: 'ACCENUMB accessionNumber',
    collection: 'collection population populationName family family_name panel group',
    female:
      'femaleName maternal maternal_parent mother dam female female_parent female_parent_accession parent1 p1 Mutter',
    male: 'maleName paternal paternal_parent father sire male male_parent male_parent_accession parent2 p2 Vater',
    synonyms: 'synonyms synonym synonym(s) aliases alias other_names',
    otherNumbers: 'OTHERNUMB',
    crossType: 'cross_type crossType type',
    generation: 'selfing_generations generation filial_generation',
    crop: 'crop commonCropName crop_name CROPNAME',
    entryNo: 'entryNo',
    femaleEntry: 'femaleEntryNo',
    maleEntry: 'maleEntryNo',
    /** Helium: one row per parent. */
    parent: 'parent parentName',
    parentKind: 'parentType parent_type relationship',
    purdy: 'pedigree purdy purdyPedigree pedigreeString purdyString',
  },
} as const;

/** Spellings separated by blanks, as keys to compare headers with, see {@link headerKey}. */
export const headerKeys = (...spellings: string[]): string[] => [
  ...new Set(spellings.join(' ').split(' ').map(headerKey)),
];
