export const ANNEX = 'DOCUMENT_ANNEXE';

/** The picture of the invoice for people, of which there is one (BR-FR-18). */
export const READABLE = 'LISIBLE';

/** Codes of what supports an invoice, by the list of the French reform (BR-FR-17). */
export const FRENCH_ATTACHMENTS: ReadonlySet<string> = new Set([
  ANNEX,
  READABLE,
  'RIB',
  'FEUILLE_DE_STYLE',
  'PJA',
  'BORDEREAU_SUIVI',
  'BON_LIVRAISON',
  'BON_COMMANDE',
  'BORDEREAU_SUIVI_VALIDATION',
  'ETAT_ACOMPTE',
  'FACTURE_PAIEMENT_DIRECT',
  'RECAPITULATIF_COTRAITANCE',
]);
