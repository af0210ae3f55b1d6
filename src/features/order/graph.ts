import './quote-schema.ts';
import './schema.ts';
import './place-schema.ts';
