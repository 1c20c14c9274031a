package records

// WriteSheets writes a workbook whose sheets have so many rows at most.
var WriteSheets = writeXLSX

// SafeName is a part of the name of a file.
var SafeName = safeName
