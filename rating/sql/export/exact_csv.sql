-- How a text export prints a float: with the 17 digits that hold every double.
CREATE OR REPLACE TEMP MACRO exact(number) AS format('{:.17g}', number)
