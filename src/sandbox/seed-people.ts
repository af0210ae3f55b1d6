import type { ContactFields } from './account-store.ts';

/** Fictional persons with fictional addresses and with phone numbers that are reserved for fiction. */
const rows = `
Ada|Sample|Sample Works Ltd|ada@sample-works.example|1 Example Street|Floor 2|London||EC1A 1ZZ|GB|2079460101|44
Ben|Muster|Muster GmbH|ben@muster-gmbh.example|Musterstraße 12||Berlin|Berlin|10115|DE|3023125042|49
Chloé|Exemple|Exemple SARL|chloe@exemple-sarl.example|3 rue de l'Exemple||Paris|Île-de-France|75001|FR|199005123|33
Deniz|Örnek|Örnek Ltd. Şti.|deniz@ornek-ltd.example|Örnek Cad. 4|Kat 5|İstanbul|Kadıköy|34710|TR|2120000104|90
Emma|Placeholder||emma@placeholder.example|500 Sample Avenue|Suite 5|Springfield|IL|62701|US|2175550105|1
Farah|Fictive|Fictive Media BV|farah@fictive-media.example|Voorbeeldlaan 6||Utrecht|UT|3511 AB|NL|850000106|31
Goran|Primjer|Primjer d.o.o.|goran@primjer.example|Primjerna 7||Zagreb||10000|HR|10000107|385
Hana|Vzor|Vzor s.r.o.|hana@vzor.example|Vzorová 8||Praha||110 00|CZ|200000108|420
Ife|Apeere|Apeere Digital|ife@apeere.example|9 Sample Close|Yaba|Lagos|LA|101212|NG|2000000109|234
Jun|Rei|Rei KK|jun@rei-kk.example|1-10 Example|Chiyoda|Tokyo||100-0001|JP|300000110|81
Kim|Model|Model Pty Ltd|kim@model-pty.example|11 Sample Road||Sydney|NSW|2000|AU|255500111|61
Lena|Country|Country Name Ltd|lena@country-name.example|12 Example Lane||Leeds||LS1 1ZZ|United Kingdom|1134960112|44
`;

/** The last one has a country by name, as the service sends now and then. */
export const people: readonly ContactFields[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [first = '', last = '', company = '', email = '', line1 = '', line2 = '', ...rest] =
      row.split('|');
    const [city = '', state = '', zip = '', country = '', phone = '', phoneCountry = ''] = rest;
    return {
      FirstName: first,
      LastName: last,
      Company: company,
      EMail: email,
      AddressLine1: line1,
      AddressLine2: line2,
      City: city,
      State: state,
      ZipCode: zip,
      Country: country,
      Phone: phone,
      PhoneCountryCode: phoneCountry,
    };
  });
