package web

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
)

// GET …/roster/{upload}/refused.csv: every row that cannot be taken, and why.
func (s *Server) getRefusedRows(c echo.Context) error {
	id := c.Param("upload")
	paper, err := s.desk.Paper(c.Request().Context(), c.Param("hall"), id)
	if err != nil {
		return s.rosterRefused(c, id, err)
	}
	data, err := refusedCSV(paper.Result.Rejected)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="refused-rows.csv"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", data)
}

// refusedCSV writes rows as spreadsheets read them: with a mark that says UTF-8.
func refusedCSV(rows []hall.RejectedRow) ([]byte, error) {
	var file bytes.Buffer
	file.WriteString("\ufeff")
	w := csv.NewWriter(&file)
	w.UseCRLF = true
	_ = w.Write([]string{"row", "column", "value", "code", "why"}) // what fails is told at the end
	for _, r := range rows {
		_ = w.Write([]string{strconv.Itoa(r.Row), textCell(r.Column), textCell(r.Value), textCell(r.Code), textCell(r.Message)})
	}
	w.Flush()
	return file.Bytes(), w.Error()
}

// textCell keeps a spreadsheet from reading a text as a formula.
func textCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return "'" + text
	}
	return text
}
