import './schema.ts';
import './renewals-schema.ts';
import './tracked-domain-schema.ts';
