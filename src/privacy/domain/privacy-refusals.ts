import { domainRefusals } from '../../kernel/domain-refusal.js';

/** Of what persons may ask for of their data. */
export const PrivacyRefusal = domainRefusals({
  conflict: {
    customer_not_erasable:
      'Something of this customer is still open, and has to be ended first: draft doc_01h455vb4pex5vsknk084sn02q.',
  },
});
